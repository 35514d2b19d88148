using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Within a generation, a publish id yields one release, and a publish with an expected release becomes the one after it.
/// </summary>
internal sealed class PublishChecker(SimulatedWorld world)
{
    private const string Name = "Publishes";
    private readonly SortedDictionary<(uint Generation, Guid Id), ulong> _byId = [];

    /// <summary>Called when a release is committed.</summary>
    public void OnCommitted(ReleaseHeader header)
    {
        ArgumentNullException.ThrowIfNull(header);
        if (header.PublishId == Guid.Empty)
        {
            return;
        }

        if (!_byId.TryAdd((header.Generation, header.PublishId), header.Release)
            && _byId[(header.Generation, header.PublishId)] != header.Release)
        {
            world.Fail(
                Name, $"publish {header.PublishId} is release {_byId[(header.Generation, header.PublishId)]} and again {header.Release}");
        }
    }

    /// <summary>Called when a publish is acknowledged.</summary>
    public void OnAcknowledged(PublishBegin asked, PublishResult answer)
    {
        ArgumentNullException.ThrowIfNull(asked);
        ArgumentNullException.ThrowIfNull(answer);
        if (asked.ExpectedRelease != PublishBegin.AnyRelease && answer.Release != asked.ExpectedRelease + 1)
        {
            world.Fail(Name, $"publish {asked.PublishId} on top of {asked.ExpectedRelease} became release {answer.Release}");
        }
    }
}
