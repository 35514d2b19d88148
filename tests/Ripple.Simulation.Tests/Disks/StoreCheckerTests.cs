using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Disks;

namespace Ripple.Simulation.Tests.Disks;

public class StoreCheckerTests
{
    [Fact]
    public void The_real_store_says_what_the_simulated_one_says_and_what_differs_is_found()
    {
        var cluster = new SimulatedCluster(
            1, new ClusterOptions { Nodes = 2, DurationNs = 30_000_000_000, QuietEndNs = 10_000_000_000, HasFaults = false });
        cluster.Run();
        StoreImage image = cluster.Host.Disk.Image;
        Assert.True(image.Batches.Count > 20, $"only {image.Batches.Count} batches");
        Check(image);

        ApplicationImage application = image.Applications.Values.First(a => a.Releases.Count > 2);
        Fails("the state at a start", image with { SlotEpoch = image.SlotEpoch + 1 });
        Fails("the audit", image with { Audit = image.Audit.RemoveAt(1) });
        AccessToken token = image.Tokens.Values.First();
        Fails("the state at a start", image with { Tokens = image.Tokens.SetItem(token.Id, token with { Name = "other" }) });
        Fails("did not take a batch", image with { Batches = image.Batches.Add(image.Batches[^1]) });
        StoreImage ofNext = image with
        {
            Applications = image.Applications.SetItem(application.Topic, application with
            {
                States = application.States.SetItem(0, application.States[1]),
            }),
        };
        Assert.Contains("has other keys", Assert.Throws<InvalidOperationException>(() => Check(ofNext)).Message, StringComparison.Ordinal);
        Digest160 digest = image.Bodies.Keys.First();
        Fails("the releases of", image with { Bodies = image.Bodies.SetItem(digest, new byte[] { 1 }) });

        void Check(StoreImage altered) => new StoreChecker(cluster.World, altered).CheckEnd();

        void Fails(string message, StoreImage altered) => Assert.Contains(
            message, Assert.Throws<InvariantViolationException>(() => Check(altered)).Message, StringComparison.Ordinal);
    }
}
