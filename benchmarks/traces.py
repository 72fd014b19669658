"""Traces that several simulators read: SASS as Accel-Sim's tracer writes it (version 5) of the kernels compute, stream
and gups of workloads/, instruction by instruction; and addresses for DRAM simulators."""
import random

LINE = 64


def instruction(pc, opcode, destination=None, sources=(), memory="0"):
    to = f"1 R{destination}" if destination is not None else "0"
    return f"{pc:04x} ffffffff {to} {opcode} {' '.join([str(len(sources))] + [f'R{r}' for r in sources])} {memory} 0 \n"


def prologue():
    return [instruction(0, "MOV", 1), instruction(0x10, "S2R", 0), instruction(0x20, "S2R", 3),
            instruction(0x30, "IMAD", 0, [3, 0])]


def numbered(loop, times, code):
    """`loop(i)`: opcodes with their operands; each time at the same places."""
    for i in range(times):
        for k, operands in enumerate(loop(i)):
            code.append(instruction(0x40 + 0x10 * k, *operands))
    code.append(instruction(0x4000, "EXIT"))
    return code


def compute(warp, warps):
    body = [("FFMA", 4, [4, 6, 7]), ("IADD3", 5, [5, 0])] * 20 + [("ISETP.NE.AND", None, [5]), ("BRA",)]
    return numbered(lambda i: body, 10, prologue())


def stream(warp, warps):
    def loop(i):
        at = (i * warps + warp) * 32 * 4
        return [("IADD3", 2, [0, 2]), ("LDG.E.SYS", 4, [2], f"4 1 {0x7f0000000000 + at:#x} 4"), ("IADD3", 8, [0, 8]),
                ("FADD", 5, [4, 6]), ("STG.E.SYS", None, [8, 5], f"4 1 {0x7f0100000000 + at:#x} 4"),
                ("ISETP.NE.AND", None, [2]), ("BRA",)]
    return numbered(loop, 16, prologue())


def gups(warp, warps):
    draw = random.Random(f"gups {warp}")

    def loop(i):
        at = [0x7f0200000000 + 8 * draw.randrange((64 << 20) // 8) for _ in range(32)]
        memory = f"8 2 {at[0]:#x} " + " ".join(str(b - a) for a, b in zip(at, at[1:]))
        return [("IMAD", 10, [10, 6, 7]), ("LOP3.LUT", 2, [10, 9]), ("LDG.E.64.SYS", 4, [2], memory),
                ("LOP3.LUT", 4, [4, 10]), ("STG.E.64.SYS", None, [2, 4], memory), ("ISETP.NE.AND", None, [10]), ("BRA",)]
    return numbered(loop, 16, prologue())


KERNELS = {"compute": compute, "stream": stream, "gups": gups}


def write_sass(folder, kernel, blocks, threads=256):
    """`folder`/kernelslist.g and what it names. Returns the list's path."""
    warps = threads // 32
    with open(folder / "kernel-1.traceg", "w") as out:
        out.write(f"-kernel name = {kernel}\n-kernel id = 1\n-grid dim = ({blocks},1,1)\n-block dim = ({threads},1,1)\n"
                  "-shmem = 0\n-nregs = 32\n-binary version = 75\n-cuda stream id = 0\n"
                  "-shmem base_addr = 0x00007e0000000000\n-local mem base_addr = 0x00007e1000000000\n"
                  "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
                  "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
                  "[adrrescompress?] [mem_addresses] immediate\n\n")
        for block in range(blocks):
            out.write(f"\n#BEGIN_TB\n\nthread block = {block},0,0\n")
            for warp in range(warps):
                code = KERNELS[kernel](block * warps + warp, blocks * warps)
                out.write(f"\nwarp = {warp}\ninsts = {len(code)}\n{''.join(code)}")
            out.write("\n#END_TB\n")
    (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
    return folder / "kernelslist.g"


# How a read of an address is written, the i-th of them.
FORMS = {
    "ramulator": lambda i, address: f"LD {address:#x}\n",  # 2.0
    "dramsys": lambda i, address: f"{i}: read {address:#x}\n",
    "dramsim3": lambda i, address: f"{address:#x} READ {i}\n",
}


def write_addresses(path, kind, count, form):
    """Reads: `random`, at multiples of 64 in 512 MiB, or `stream`, from address 0 on."""
    draw = random.Random("addresses")
    with open(path, "w") as out:
        for i in range(count):
            at = LINE * (draw.randrange((512 << 20) // LINE) if kind == "random" else i)
            out.write(FORMS[form](i, at))
    return path
