namespace Ripple.Testing.Checking;

/// <summary>An invariant did not hold. The message contains the command line that replays the run.</summary>
public sealed class InvariantViolationException : Exception
{
    /// <param name="checker">Which checker found it.</param>
    /// <param name="message">What was found, where.</param>
    /// <param name="seed">The seed of the run.</param>
    /// <param name="timeNs">When, in simulated nanoseconds.</param>
    /// <param name="replayArguments">What a replay needs beside the seed; empty for nothing.</param>
    /// <param name="inner">What was thrown, if anything.</param>
    public InvariantViolationException(
        string checker, string message, ulong seed, long timeNs, string replayArguments = "", Exception? inner = null)
        : base(
            $"{checker}: {message}\nat {timeNs / 1_000_000_000}.{timeNs % 1_000_000_000:D9} s of seed {seed}; replay: "
                + $"{ReplayCommand(seed, replayArguments)}",
            inner)
    {
        Checker = checker;
        Seed = seed;
        TimeNs = timeNs;
    }

    /// <summary>Which checker found it.</summary>
    public string Checker { get; }

    /// <summary>The seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>When, in simulated nanoseconds.</summary>
    public long TimeNs { get; }

    private static string ReplayCommand(ulong seed, string arguments) =>
        $"dotnet run -c Release --project tests/Ripple.Simulation -- --seeds {seed}..{seed}{(arguments.Length == 0 ? "" : " ")}{arguments}";
}
