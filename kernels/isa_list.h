/* The instruction sets in rising preference: ISA_<family>(id, name, required features). A list
 * without include guard, for repeated inclusion: dispatch.c expands the families of the
 * architecture it is built for and drops the others. */
ISA_ANY(reference, "reference", 0)
ISA_X86(x86_64_v2, "x86-64-v2", ORIEL_CPU_X86_64_V2)
ISA_X86(x86_64_v3, "x86-64-v3", ORIEL_CPU_X86_64_V3)
ISA_X86(x86_64_v4, "x86-64-v4", ORIEL_CPU_X86_64_V4)
ISA_ARM(neon, "neon", ORIEL_CPU_NEON)
