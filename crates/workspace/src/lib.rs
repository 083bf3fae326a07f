//! Finds and reads the files of a project, overlays open buffers, and feeds the core.
