// A shared library that is no plugin.
int something_else() { return 1; }
