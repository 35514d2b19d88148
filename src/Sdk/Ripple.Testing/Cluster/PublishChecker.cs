using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>A publish id is one release in a generation, and a publish on top of an expected release is the next one.</summary>
internal sealed class PublishChecker(SimulatedWorld world)
{
    private const string Name = "Publishes";
    private readonly SortedDictionary<(uint Generation, Guid Id), ulong> _byId = [];

    /// <summary>A release was committed.</summary>
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

    /// <summary>A publisher was answered.</summary>
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
