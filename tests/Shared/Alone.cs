namespace Ripple.Tests.Shared;

/// <summary>
/// Tests that no other runs beside: those that count a thread's bytes exactly, for a collection that another test causes counts what was
/// left of the thread's room for allocations.
/// </summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
