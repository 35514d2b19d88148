namespace Ripple.Mutants.Running;

/// <summary>How a test process ended.</summary>
/// <param name="IsWell">All tests that were meant to run did, and passed.</param>
/// <param name="What">The first test that failed, or how the process ended otherwise; empty when all is well.</param>
/// <param name="FailedTest">The full name of the first test that failed; null when no test said that it did.</param>
/// <param name="Process">The process.</param>
internal sealed record TestOutcome(bool IsWell, string What, string? FailedTest, ChildResult Process);
