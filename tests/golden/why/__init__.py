"""Why a device waits, worked out a second time: from the events of a trace file and the definitions alone."""
