using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>
/// What publishers and nodes were told of the releases of one application, over all lives and disks of its host. Kept by the test: the host
/// is not asked what it remembers.
/// </summary>
internal sealed class ToldHistory
{
    private readonly SortedSet<(uint Generation, Guid PublishId, ulong Release)> _publishes = [];
    private readonly SortedSet<(uint Generation, ulong Release, Digest160 Id)> _releases = [];

    /// <summary>A publisher was answered that its publish is this release.</summary>
    public void Tell(Guid publishId, PublishResult answer)
    {
        Assert.Equal(ErrorCode.None, answer.Code);
        Add(answer.Generation, answer.Release, answer.Id, publishId);
    }

    /// <summary>All that a node was sent: by the stream, release by release, and as snapshots.</summary>
    public void Tell(NodeRig node)
    {
        IEnumerable<ReleaseHeader> oneByOne = node.Streamed().Select(r => r.Header).Concat(CaughtUp(node).Select(m => m.Header));
        foreach (ReleaseHeader header in oneByOne.Concat(Shown(node)))
        {
            Add(header.Generation, header.Release, header.Id, header.PublishId);
        }
    }

    /// <summary>Within a generation, one publish id is one release.</summary>
    public void ExpectOneReleaseOfEachPublish()
    {
        string[] twice =
        [
            .. from publish in _publishes
            group publish.Release by (publish.Generation, publish.PublishId) into told
            where told.Count() > 1
            select $"In generation {told.Key.Generation}, publish {told.Key.PublishId} is release {string.Join(" and ", told)}.",
        ];
        Assert.True(twice.Length == 0, string.Join(Environment.NewLine, twice));
    }

    /// <summary>Within a generation, one number is one content.</summary>
    public void ExpectOneContentOfEachRelease()
    {
        string[] twice =
        [
            .. from release in _releases
            group release.Id by (release.Generation, release.Release) into told
            where told.Count() > 1
            select $"Release {told.Key.Release} of generation {told.Key.Generation} is {string.Join(" and ", told)}.",
        ];
        Assert.True(twice.Length == 0, string.Join(Environment.NewLine, twice));
    }

    /// <summary>The releases that came to a node one by one on its connection.</summary>
    public static IEnumerable<ReleaseMessage> CaughtUp(NodeRig node) => node.All<CatchUpRelease>().Select(c =>
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(c.Message.Span, out ReleaseMessage? message));
        return message!;
    });

    private static IEnumerable<ReleaseHeader> Shown(NodeRig node) => node.All<SnapshotBegin>().Select(s =>
    {
        Assert.True(ReleaseHeader.TryDecode(s.Header.Span, out ReleaseHeader? header));
        return header;
    });

    private void Add(uint generation, ulong release, Digest160 id, Guid publishId)
    {
        _releases.Add((generation, release, id));
        // A release that begins a generation is nobody's publish.
        if (publishId != Guid.Empty)
        {
            _publishes.Add((generation, publishId, release));
        }
    }
}
