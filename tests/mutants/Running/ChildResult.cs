namespace Ripple.Mutants.Running;

/// <summary>How a process ended.</summary>
/// <param name="ExitCode">Its exit code; -1 when it was killed.</param>
/// <param name="Output">What it printed, on both streams.</param>
/// <param name="IsTimeout">It did not end in time, and was killed.</param>
/// <param name="Took">How long it ran.</param>
internal sealed record ChildResult(int ExitCode, string Output, bool IsTimeout, TimeSpan Took);
