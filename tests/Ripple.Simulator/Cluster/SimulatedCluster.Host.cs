using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Gms;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Oracles;

namespace Ripple.Simulator.Cluster;

/// <content>The host: what is on its disk at first, and who hears of what it does.</content>
public sealed partial class SimulatedCluster
{
    private readonly List<GmsCounters> _hostCounters = [];

    /// <summary>Prepares the store as an administrator would have: the applications and a token.</summary>
    private void Prepare()
    {
        using SimulatedHostStore store = Host.Disk.Open();
        IEnumerable<string> admins = _options.HasAdminCalls || Events is not null ? [ClusterTokens.Admin] : [];
        string[] ids = [.. World.Machines.Select(m => m.Peer.TokenId).Where(t => t.Length > 0).Concat(admins).Distinct()];
        store.Commit(
            new CommitBatch
            {
                Applications = [.. _options.Applications.Append("ops").Select((name, i) => new NewApplication((uint)i + 1, name, 1))],
                Tokens = [.. ids.Select(id => AccessTokenChange.Create(ClusterTokens.Make(id), "administrator"))],
            },
            _ => { });
        foreach (string id in ids)
        {
            _oracles.Audit.OnAdministered(new AuditLine("token.create", "administrator", ClusterTokens.ApplicationOf(id), null, null));
        }
    }

    private void OnHostReady(HostCore gms)
    {
        _hostCounters.Add(gms.Counters);
        _moments?.On(Host.Machine, "Ready", 20_000_000);
        gms.OnCommittedRelease = (primary, header) =>
        {
            if (!_oracles.Model.IsJudged(primary.Name))
            {
                return;
            }

            Reference.Add(header);
            RegionsMax = Math.Max(RegionsMax, gms.Views.Count());
            CheckRecent(primary.Recent);
            _trace?.OnRelease(ReleaseClaim.Of(header), "commits");
            _oracles.OnCommitted(header);
            _attack?.OnCommitted(header);
            CrashSoon(header.PublishId);
            if (_isForging)
            {
                _forger!.OnCommitted(primary.Topic, header, primary.CommittedHeader?.Id == header.Id ? primary.CommittedSignature : null);
            }
        };
        HostGauges.Register(_bounds, this, gms);
        _attack?.OnHostReady(gms, _bounds);
    }

    private static long FreshRefused(SimulatedClient client) => Math.Max(
        0, (client.Node?.Counters.DatagramsRefusedAs(OpenStatus.Replay) ?? 0) - client.Machine.Ports.RepeatedMax);

    /// <summary>What the newest releases take is what their messages take.</summary>
    private void CheckRecent(RecentReleases recent)
    {
        long bytes = 0;
        for (ulong release = recent.First; recent.Find(release) is { } held; release++)
        {
            bytes += RecentReleases.RecordBytes + held.Message.Length;
        }

        if (bytes != recent.Bytes)
        {
            World.Fail("Bounds", $"the newest releases take {bytes} bytes, and say {recent.Bytes}");
        }
    }

    private void AddClients(ref StableHash hash)
    {
        foreach (SimulatedClient client in _clients)
        {
            hash.Add(client.AppliedCount);
            foreach (string application in client.Applications)
            {
                if (client.Node?.Find(application) is { } replica)
                {
                    hash.Add(replica.Applied.Keys.Release);
                    hash.Add(replica.Applied.Keys.Id.ToString());
                }
            }
        }
    }

    private void AddDisk(ref StableHash hash)
    {
        hash.Add(Host.Disk.SyncCount);
        hash.Add(Host.Disk.DurableBatchCount);
        hash.Add((long)Reference.Count);
    }
}
