using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Gms.Calls;
using Ripple.Gms.Core;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster.Applications;

/// <summary>
/// Creates applications while the cluster runs, as the host's HTTP interface does: with and without the right to, by names that are free,
/// taken, under way and not allowed. Judges each answer by what is on the disk, and at the end whether the host has what the disk has.
/// </summary>
internal sealed class ApplicationCreator
{
    private const string Checker = "Applications";
    private const string Actor = "creator of applications";
    private const int NameCharsMax = 100;
    private readonly SimulatedCluster _cluster;
    private readonly DeterministicRandom _random;
    private bool _isRestored;
    private readonly HashSet<string> _created = [];
    private readonly HashSet<(int Life, int Number)> _unanswered = [];

    /// <summary>Creates a creator who has not done anything.</summary>
    public ApplicationCreator(SimulatedCluster cluster, DeterministicRandom random)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        _cluster = cluster;
        _random = random;
    }

    private SimulatedWorld World => _cluster.World;

    private StoreImage Disk => _cluster.Host.Disk.Image;

    /// <summary>Asks for one application, and at times, while that is under way, for it again or for another. On the host's core.</summary>
    public void Ask(int number)
    {
        if (_cluster.Host.Gms is not { } gms || !World.Script.Takes(RunItem.Fault, $"create-{number}"))
        {
            return;
        }

        string name = NextName(number);
        bool isAllowed = !_random.NextBool(0.15);
        Ask(gms, name, isAllowed, number);
        if (_random.NextBool(0.3))
        {
            Ask(gms, _random.NextBool(0.5) ? name : $"twin-{number}", isAllowed, -1 - number);
        }
    }

    /// <summary>Called when an older copy of the disk replaces it.</summary>
    public void OnRestored()
    {
        _created.RemoveWhere(n => Find(n) is null);
        _isRestored = true;
    }

    /// <summary>Called at the end of the quiet period.</summary>
    public void CheckEnd()
    {
        SimulatedHost host = _cluster.Host;
        int life = host.Machine.StartCount;
        if (_unanswered.Any(a => a.Life == life))
        {
            World.Fail(Checker, "the creation of an application was never answered");
        }

        string has = string.Join(' ', host.Gms!.Applications.OrderBy(a => a.Topic).Select(a => $"{a.Topic}:{a.Name}"));
        string shall = string.Join(' ', Disk.Applications.Select(a => $"{a.Key}:{a.Value.Name}"));
        if (has != shall)
        {
            World.Fail(Checker, $"the host has the applications {has}, on its disk are {shall}");
        }

        if (_created.FirstOrDefault(n => Find(n) is null) is { } lost)
        {
            World.Fail(Checker, $"'{lost}' was created and is not on the disk");
        }
    }

    private string NextName(int number)
    {
        double kind = _random.NextDouble();
        string free = $"made-{number}";
        return kind < 0.5 ? free
            : kind < 0.6 ? free.PadRight(NameCharsMax, 'x')
            : kind < 0.7 ? free.PadRight(NameCharsMax + 1, 'x')
            : kind < 0.75 ? $"Made-{number}"
            : kind < 0.8 ? string.Empty
            : Disk.Applications.Values.ElementAt(_random.NextInt32(Disk.Applications.Count)).Name;
    }

    private void Ask(HostCore gms, string name, bool isAllowed, int number)
    {
        // A publisher's token administers all applications.
        string? node = _cluster.Clients.Select(c => c.Machine.Peer.TokenId).FirstOrDefault(t => !ClusterTokens.IsAdmin(t));
        isAllowed |= node is null;
        var line = new AuditLine("application.create", Actor, name, null, null);
        bool isName = name.Length is > 0 and <= NameCharsMax && name.All(c => !char.IsAsciiLetterUpper(c));
        bool isTaken = Find(name) is not null;
        int life = _cluster.Host.Machine.StartCount;
        _unanswered.Add((life, number));
        if (isAllowed && isName && !isTaken)
        {
            _cluster.Oracles.Audit.OnAttempted(line);
        }

        gms.Calls.Create(new Caller(isAllowed ? ClusterTokens.Admin : node!, Actor), name, refusal =>
        {
            if (!_unanswered.Remove((life, number)))
            {
                World.Fail(Checker, $"the creation of '{name}' was answered twice");
            }

            ErrorCode code = refusal?.Code ?? ErrorCode.None;
            ErrorCode shall = !isAllowed ? ErrorCode.NotAllowed : !isName ? ErrorCode.InvalidRequest
                : isTaken || _created.Contains(name) ? ErrorCode.AlreadyExists : ErrorCode.None;
            if (code != shall || refusal is { Text.Length: 0 })
            {
                World.Fail(Checker, $"the creation of '{name}' was answered {code} '{refusal?.Text}', and {shall} is right");
            }

            if (refusal is null)
            {
                _created.Add(name);
                _cluster.Oracles.Audit.OnAdministered(line);
                CheckCreated(gms, name);
            }
        });
    }

    /// <summary>What was created can be read at once, and is empty.</summary>
    private void CheckCreated(HostCore gms, string name)
    {
        World.Faults.Add("applicationCreated");
        ApplicationImage? image = Find(name);
        var caller = new Caller(ClusterTokens.Admin, Actor);
        gms.Calls.Reading.State(caller, name, _random.NextBool(0.5) ? 0 : null, answer =>
        {
            if (image is null || answer.Value is not { Release: 0, Keys.Count: 0 } state || Disk.Applications[state.Topic].Name != name)
            {
                World.Fail(Checker, $"'{name}' was created, and is read as {answer}; on the disk is {image?.Name}");
            }
        });
        ApplicationView? view = gms.Calls.Reading.Read(caller, name).Value;
        // A host that noticed that its store is a copy begins applications, too, in the generation it went on with.
        if (view is not { NodeCount: 0 } || view.Generation != (_isRestored ? view.Generation : 1) || view.Name != name)
        {
            World.Fail(Checker, $"'{name}' was created, and is described as {view}");
        }
    }

    private ApplicationImage? Find(string name) => Disk.Applications.Values.FirstOrDefault(a => a.Name == name);
}
