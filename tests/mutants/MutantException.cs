namespace Ripple.Mutants;

/// <summary>Something that the person at the keyboard has to put right: a list that does not fit the sources, a build that fails.</summary>
internal sealed class MutantException(string message) : Exception(message);
