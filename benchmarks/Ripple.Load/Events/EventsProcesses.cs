using System.Globalization;
using Ripple.Admin;
using Ripple.Load.Processes;
using Ripple.Trust;

namespace Ripple.Load.Events;

/// <summary>The processes of a run: a host, and those of subscribers and of emitters.</summary>
/// <param name="options">What is measured.</param>
/// <param name="directory">A directory for the host's disk and the books.</param>
internal sealed class EventsProcesses(EventsOptions options, string directory) : IAsyncDisposable
{
    public const string Application = "load";
    public static readonly TimeSpan Timeout = TimeSpan.FromMinutes(5);
    private readonly List<Child> _children = [];
    private readonly List<IDisposable> _books = [];
    private Child _host = null!;
    private double _endedHostsCpuMs;
    private string _port = string.Empty;
    private string _clientConnection = string.Empty;
    private string _adminConnection = string.Empty;

    /// <summary>What emitters are told.</summary>
    public ToldBook Told { get; private set; } = null!;

    /// <summary>The processor time of hosts so far, of those that were killed as well.</summary>
    public double HostCpuMs => _endedHostsCpuMs + _host.CpuMs;

    private string ToldPath => Path.Combine(directory, "told");

    /// <summary>Starts a host with a space.</summary>
    public async Task StartAsync(string space)
    {
        Told = new ToldBook(ToldPath, options.Events);
        _books.Add(Told);
        string[] words = await StartHostAsync(null);
        (_port, _clientConnection, _adminConnection) = (words[1], words[2], words[3]);
        using var admin = new RippleAdminClient(ConnectionString.Parse(await File.ReadAllTextAsync(_adminConnection)));
        await admin.SetSpaceAsync(Application, space);
    }

    /// <summary>Kills the host, and starts another on its disk and port.</summary>
    public async Task ReplaceHostAsync()
    {
        _endedHostsCpuMs += _host.CpuMs;
        await _host.KillAsync();
        await StartHostAsync(_port);
    }

    /// <summary>Starts a process with some of the subscribers, and with a book of its own.</summary>
    public async Task<(Child Process, ShownBook Book)> StartSubscribersAsync(int first, int count)
    {
        string path = Path.Combine(directory, $"shown-{_books.Count}");
        var book = new ShownBook(path, options.Events, options.BoxesInAll);
        _books.Add(book);
        Child child = Start(
            Roles.EventSubscribers,
            _clientConnection,
            path,
            options.Subscribers,
            options.Boxes,
            options.Dimensions,
            options.Events,
            first,
            count);
        await child.ExpectAsync("ready", Timeout);
        return (child, book);
    }

    /// <summary>Starts an emitter of some of the events, which waits for a line.</summary>
    public async Task<Child> StartEmitterAsync(int first, int count)
    {
        Child child = Start(
            Roles.EventEmitter,
            _adminConnection,
            ToldPath,
            options.Dimensions,
            options.Events,
            options.Window,
            first,
            count);
        await child.ExpectAsync("ready", Timeout);
        return child;
    }

    /// <summary>A client that emits in this process.</summary>
    public async Task<RippleClient> ConnectAsync() => await RippleClient.ConnectAsync(
        await File.ReadAllTextAsync(_adminConnection),
        new RippleClientOptions { Application = Application, Name = "emitter", SnapshotMode = SnapshotMode.Off });

    public async ValueTask DisposeAsync()
    {
        foreach (Child child in Enumerable.Reverse(_children))
        {
            await child.DisposeAsync();
        }

        _books.ForEach(b => b.Dispose());
    }

    private async Task<string[]> StartHostAsync(string? port)
    {
        string[] arguments =
        [
            Roles.Host,
            Path.Combine(directory, "host"),
            Application,
            HostRole.Unicast,
            HostRole.NotProbed,
            HostRole.Rings(null, null),
        ];
        _host = Child.Start(port is null ? arguments : [.. arguments, string.Empty, port]);
        _children.Add(_host);
        return await _host.ExpectAsync("ready", Timeout);
    }

    private Child Start(string role, string connection, string book, params ReadOnlySpan<int> numbers)
    {
        List<string> arguments = [role, connection, book];
        foreach (int number in numbers)
        {
            arguments.Add(number.ToString(CultureInfo.InvariantCulture));
        }

        Child child = Child.Start([.. arguments]);
        _children.Add(child);
        return child;
    }
}
