// What a plugin looks like that was compiled with the headers of another release.
extern "C" {
[[gnu::used]] extern const char gputlm_plugin_interface[] = "gputlm plugin interface 0";
}
