using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Rewriting;

/// <summary>A mutant with the number that switches it on.</summary>
internal readonly record struct NumberedMutant(int Number, Mutant Mutant);
