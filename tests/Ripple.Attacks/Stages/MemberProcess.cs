using System.Collections.Concurrent;
using System.Globalization;

namespace Ripple.Attacks.Stages;

/// <summary>An honest node in a process of its own, by the SDK. Numbers are those that publishes carry.</summary>
internal sealed class MemberProcess : IAsyncDisposable
{
    private readonly ConcurrentDictionary<long, long> _applied = new();
    private readonly ConcurrentQueue<string> _log = new();
    private readonly ChildProcess _child;

    private MemberProcess(string? program, string role, params string[] arguments) =>
        _child = ChildProcess.Start(program, Take, [role, .. arguments]);

    /// <summary>When it had which number in effect, on the clock that all processes share.</summary>
    public IReadOnlyDictionary<long, long> Applied => _applied;

    /// <summary>The newest release that it has in effect.</summary>
    public ulong Release { get; private set; }

    /// <summary>Warnings of its client.</summary>
    public IReadOnlyCollection<string> Log => _log;

    public int ProcessId => _child.ProcessId;

    /// <summary>Whether the process ended by itself.</summary>
    public bool HasExited => _child.HasExited;

    /// <summary>Starts it; returns when it is connected.</summary>
    public static async Task<MemberProcess> StartAsync(
        string? program, string role, string connectionFile, string name, string application, TimeSpan timeout)
    {
        var member = new MemberProcess(program, role, connectionFile, name, application);
        try
        {
            await member._child.ExpectAsync(timeout, "ready");
            return member;
        }
        catch
        {
            member._child.Kill();
            throw;
        }
    }

    /// <summary>Waits until it has a release in effect.</summary>
    public async Task<bool> ReachesAsync(ulong release, TimeSpan timeout)
    {
        for (DateTime until = DateTime.UtcNow + timeout; Release < release && DateTime.UtcNow < until;)
        {
            await Task.Delay(20);
        }

        return Release >= release;
    }

    public void Kill() => _child.Kill();

    public ValueTask DisposeAsync() => _child.DisposeAsync();

    private void Take(string[] words)
    {
        if (words[0] == "applied")
        {
            _applied.TryAdd(long.Parse(words[1], CultureInfo.InvariantCulture), long.Parse(words[2], CultureInfo.InvariantCulture));
            Release = ulong.Parse(words[3], CultureInfo.InvariantCulture);
        }
        else if (words[0] == "log")
        {
            _log.Enqueue(string.Join(' ', words.Skip(1)));
        }
    }
}
