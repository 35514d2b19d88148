namespace Ripple.Tests.Shared;

/// <summary>Tests that no other runs beside.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
