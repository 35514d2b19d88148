namespace Ripple.Mutants.Running;

/// <summary>How a test process ended.</summary>
/// <param name="IsWell">All tests that were meant to run did, and passed.</param>
/// <param name="What">The first test that failed, or how the process ended otherwise; empty when all is well.</param>
/// <param name="FailedTests">
/// The full names of the tests that failed. The first to fail ends the others, which may be named before it.
/// </param>
/// <param name="Process">The process.</param>
internal sealed record TestOutcome(bool IsWell, string What, IReadOnlyList<string> FailedTests, ChildResult Process);
