using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Attacks;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Runs;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Stages;

/// <summary>
/// One host with an honest application on it (three members and a publisher), an application that is attacked, and the attacker's process.
/// Each attack has one of its own.
/// </summary>
internal sealed class Stage : IAsyncDisposable
{
    /// <summary>The application that attackers have tokens of.</summary>
    public const string Target = "target";

    /// <summary>What nodes and tokens of attackers are called.</summary>
    public const string Mallory = "mallory";

    private const int MembersCount = 3;
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan SetUpTimeout = TimeSpan.FromSeconds(180);
    private static readonly TimeSpan ArrivalTimeout = TimeSpan.FromSeconds(30);
    private readonly string _directory;
    private readonly HostProgram _program;
    private readonly int _core;
    private readonly List<MemberProcess> _members = [];
    private readonly List<IAsyncDisposable> _others = [];
    private readonly ConcurrentDictionary<string, string> _notes = new();
    private readonly Dictionary<string, string> _given = [];
    private PublisherProcess? _publisher;
    private ChildProcess? _attacker;

    private Stage(HostProgram program, string directory, int core)
    {
        (_program, _directory, _core) = (program, directory, core);
        Host = new HostProcess(program, Path.Combine(directory, "host"));
    }

    public HostProcess Host { get; }

    /// <summary>An administrator of the cluster.</summary>
    public RippleAdminClient Admin { get; private set; } = null!;

    /// <summary>What the attacker found.</summary>
    public IReadOnlyDictionary<string, string> Notes => _notes;

    /// <summary>The attacked application's honest members, in the order of their start.</summary>
    public List<MemberProcess> Victims { get; } = [];

    /// <summary>Tokens made for attackers; logs may name them by these.</summary>
    public List<string> AttackerTokens { get; } = [];

    /// <summary>Publishes of the honest application that failed.</summary>
    public (int Count, string Reason) PublishesFailed => _publisher!.Failed;

    public static async Task<Stage> BuildAsync(HostProgram program, string directory, int core)
    {
        var stage = new Stage(program, Directory.CreateDirectory(directory).FullName, core);
        try
        {
            await stage.BuildAsync();
            return stage;
        }
        catch
        {
            await stage.DisposeAsync();
            throw;
        }
    }

    /// <summary>Gives the attacker something.</summary>
    public void Give(string name, string value) => _given[name] = value;

    public long NoteOf(string name) => long.Parse(_notes.GetValueOrDefault(name, "0"), CultureInfo.InvariantCulture);

    /// <summary>Makes a token; its connection string.</summary>
    public async Task<CreatedToken> CreateTokenAsync(string name, Role role, params string[] applications)
    {
        CreatedToken created = await Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = applications, Role = role, Name = name });
        if (name.StartsWith(Mallory, StringComparison.Ordinal))
        {
            AttackerTokens.Add(created.Token.TokenId);
        }

        return created;
    }

    /// <summary>Makes a token for the attacker and gives it the connection string under the token's name.</summary>
    public async Task<CreatedToken> GiveTokenAsync(string name, Role role, params string[] applications)
    {
        CreatedToken created = await CreateTokenAsync(name, role, applications);
        Give(name, created.ConnectionString);
        return created;
    }

    /// <summary>Starts an honest member of the attacked application.</summary>
    public async Task<MemberProcess> AddVictimAsync(string role = RoleTable.Member)
    {
        string name = $"victim-{Victims.Count + 1}";
        CreatedToken token = await CreateTokenAsync(name, Role.Node, Target);
        MemberProcess victim = await MemberProcess.StartAsync(
            _program.MemberProgram, role, Write(name, token.ConnectionString), name, Target, StartTimeout);
        Victims.Add(victim);
        return victim;
    }

    /// <summary>Starts an honest publisher of the attacked application.</summary>
    public async Task<PublisherProcess> AddTargetPublisherAsync()
    {
        CreatedToken token = await CreateTokenAsync("target-publisher", Role.Publisher, Target);
        PublisherProcess publisher = await PublisherProcess.StartAsync(
            _program.MemberProgram, Write("target-publisher", token.ConnectionString), Target);
        _others.Add(publisher);
        return publisher;
    }

    /// <summary>Starts somebody who may publish in the attacked application and waits as it is told.</summary>
    public async Task<WaiterProcess> AddWaiterAsync()
    {
        CreatedToken token = await CreateTokenAsync("waiter", Role.Publisher, Target);
        WaiterProcess waiter = await WaiterProcess.StartAsync(_program.MemberProgram, Write("waiter", token.ConnectionString), Target);
        _others.Add(waiter);
        return waiter;
    }

    /// <summary>Starts another honest member of the honest application, to see whether it can.</summary>
    public async Task<MemberProcess> AddMemberAsync(string name, TimeSpan timeout)
    {
        MemberProcess member = await MemberProcess.StartAsync(
            _program.MemberProgram, RoleTable.Member, Host.ClientConnection, name, HostProcess.Application, timeout);
        _others.Add(member);
        return member;
    }

    /// <summary>Publishes one value of the attacked application; its release.</summary>
    public async Task<ulong> PublishAsync(string key, string text)
    {
        PublishResult result = await Admin.PublishAsync(Target, new PublishRequest { Set = [new() { Key = key, Text = text }] });
        return result.Release;
    }

    /// <summary>A node by hand that joins, so that the judge sees what the host tells, and leaves.</summary>
    public async Task<HandNode> LookAsync(string name)
    {
        CreatedToken token = await CreateTokenAsync(name, Role.Node, Target);
        HandNode node = await HandNode.JoinAsync(token.ConnectionString, name, CancellationToken.None);
        await node.SendAsync(MessageType.Leave, new WireBytes().Text16("looked").ToArray());
        _others.Add(node);
        return node;
    }

    public async Task<ChildProcess> SpinAsync()
    {
        var spinning = ChildProcess.Start(null, _ => { }, RoleTable.Spin, _core.ToString(CultureInfo.InvariantCulture));
        await spinning.ExpectAsync(StartTimeout, "ready");
        return spinning;
    }

    /// <summary>Starts the attacker's process and lets it get ready; what it asks for, the attack answers.</summary>
    public async Task ReadyAsync(Attack attack)
    {
        // Found by an honest node, for a host warns of a version that it does not take.
        await LookAsync("looking-first");
        Give("version", HandNode.Version.ToString(CultureInfo.InvariantCulture));
        Give("port", Host.Port.ToString(CultureInfo.InvariantCulture));
        Give("health", Host.HealthPort.ToString(CultureInfo.InvariantCulture));
        string file = Write("given", JsonSerializer.Serialize(_given));
        _attacker = ChildProcess.Start(
            null, TakeNote, RoleTable.Attacker, _core.ToString(CultureInfo.InvariantCulture), attack.Name, file);
        await UntilAsync(attack, "ready", SetUpTimeout);
    }

    /// <summary>Lets the attacker go; returns when it has done what it wanted.</summary>
    public async Task AttackAsync(Attack attack)
    {
        await _attacker!.SendAsync("go");
        await UntilAsync(attack, "over", attack.Longest);
    }

    /// <summary>Ends the attacker's process.</summary>
    public async Task EndAttackAsync()
    {
        if (_attacker is { } attacker)
        {
            _attacker = null;
            await attacker.DisposeAsync();
        }
    }

    /// <summary>Publishes in the honest application until enough were, and what goes on beside is over.</summary>
    public async Task<Measured> MeasureAsync(int publishes, Task beside)
    {
        long first = await _publisher!.BeginAsync();
        while (_publisher.Called.Count < first - 1 + publishes || !beside.IsCompleted)
        {
            await Task.Delay(10);
        }

        long last = await _publisher.EndAsync();
        var called = _publisher.Called.Where(c => c.Key >= first && c.Key <= last).ToDictionary();
        Measured measured;
        DateTime until = DateTime.UtcNow + ArrivalTimeout;
        do
        {
            await Task.Delay(50);
            measured = Measured.Of(called, [.. _members.Select(m => m.Applied)]);
        }
        while (measured.Lost > 0 && DateTime.UtcNow < until);
        return measured;
    }

    public async ValueTask DisposeAsync()
    {
        await EndAttackAsync();
        foreach (IAsyncDisposable other in _others.Concat(Victims).Concat(_members).Append(_publisher!).Where(o => o is not null).Reverse())
        {
            await other.DisposeAsync();
        }

        Admin?.Dispose();
        await Host.DisposeAsync();
        Directory.Delete(_directory, recursive: true);
    }

    private async Task BuildAsync()
    {
        await Host.StartAsync();
        Admin = RippleAdminClient.Connect((await File.ReadAllTextAsync(Host.AdminConnection)).Trim());
        await Admin.CreateApplicationAsync(Target);
        CreatedToken publisher = await CreateTokenAsync("honest-publisher", Role.Publisher, HostProcess.Application);
        for (int i = 1; i <= MembersCount; i++)
        {
            _members.Add(await MemberProcess.StartAsync(
                _program.MemberProgram, RoleTable.Member, Host.ClientConnection, $"honest-{i}", HostProcess.Application, StartTimeout));
        }

        _publisher = await PublisherProcess.StartAsync(
            _program.MemberProgram, Write("publisher", publisher.ConnectionString), HostProcess.Application);
    }

    private async Task UntilAsync(Attack attack, string word, TimeSpan timeout)
    {
        while (await _attacker!.ExpectAsync(timeout, word, "ask") is ["ask", var what, ..])
        {
            await attack.OnAskedAsync(this, what);
            await _attacker.SendAsync("done");
        }
    }

    private void TakeNote(string[] words)
    {
        if (words[0] == "note")
        {
            _notes[words[1]] = string.Join(' ', words.Skip(2));
        }
    }

    private string Write(string name, string text)
    {
        string path = Path.Combine(_directory, name);
        File.WriteAllText(path, text);
        return path;
    }
}
