"""Second implementation of the reasons why a device waits, from the events of a trace file and the definitions alone."""
