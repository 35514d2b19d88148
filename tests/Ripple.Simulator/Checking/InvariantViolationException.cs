namespace Ripple.Simulator.Checking;

/// <summary>An invariant did not hold. The message contains the command line that replays the run.</summary>
public sealed class InvariantViolationException : Exception
{
    /// <param name="checker">The checker that found it.</param>
    /// <param name="message">What was found and where.</param>
    /// <param name="seed">The seed of the run.</param>
    /// <param name="timeNs">The time, in simulated nanoseconds.</param>
    /// <param name="replayArguments">The arguments a replay needs besides the seed; empty for none.</param>
    /// <param name="inner">The exception that was thrown, if any.</param>
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

    /// <summary>The checker that found it.</summary>
    public string Checker { get; }

    /// <summary>The seed of the run.</summary>
    public ulong Seed { get; }

    /// <summary>The time, in simulated nanoseconds.</summary>
    public long TimeNs { get; }

    /// <summary>What it is about.</summary>
    internal ViolationSubject Subject { get; init; } = new();

    private static string ReplayCommand(ulong seed, string arguments) =>
        $"dotnet run -c Release --project tests/Ripple.Simulation -- --seeds {seed}..{seed}{(arguments.Length == 0 ? "" : " ")}{arguments}";
}
