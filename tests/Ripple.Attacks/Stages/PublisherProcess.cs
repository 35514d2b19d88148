using System.Collections.Concurrent;
using System.Globalization;

namespace Ripple.Attacks.Stages;

/// <summary>Publishes a number every 50 ms in a process of its own, by the SDK, whether or not the ones before are through.</summary>
internal sealed class PublisherProcess : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private readonly ConcurrentDictionary<long, long> _called = new();
    private readonly ChildProcess _child;
    private long _next = 1;

    private PublisherProcess(string? program, string connectionFile, string application) =>
        _child = ChildProcess.Start(program, Take, Roles.RoleTable.Publisher, connectionFile, application);

    /// <summary>How often it publishes.</summary>
    public const int PauseMs = 50;

    /// <summary>When which number was published.</summary>
    public IReadOnlyDictionary<long, long> Called => _called;

    /// <summary>Publishes that failed, with the reason of the last.</summary>
    public (int Count, string Reason) Failed { get; private set; }

    public static async Task<PublisherProcess> StartAsync(string? program, string connectionFile, string application)
    {
        var publisher = new PublisherProcess(program, connectionFile, application);
        await publisher._child.ExpectAsync(StartTimeout, "ready");
        return publisher;
    }

    /// <summary>Begins to publish; the number of its first publish.</summary>
    public async Task<long> BeginAsync()
    {
        await _child.SendAsync(string.Create(CultureInfo.InvariantCulture, $"start {_next}"));
        return _next;
    }

    /// <summary>Stops it; the number of the last publish.</summary>
    public async Task<long> EndAsync()
    {
        await _child.SendAsync("stop");
        string[] words = await _child.ExpectAsync(TimeSpan.FromSeconds(30), "stopped");
        _next = long.Parse(words[1], CultureInfo.InvariantCulture) + 1;
        return _next - 1;
    }

    public ValueTask DisposeAsync() => _child.DisposeAsync();

    private void Take(string[] words)
    {
        switch (words[0])
        {
            case "called":
                _called[long.Parse(words[1], CultureInfo.InvariantCulture)] = long.Parse(words[2], CultureInfo.InvariantCulture);
                break;
            case "error":
                Failed = (Failed.Count + 1, string.Join(' ', words.Skip(1)));
                break;
            default:
                break;
        }
    }
}
