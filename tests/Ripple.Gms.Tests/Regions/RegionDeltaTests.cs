using System.Text;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Releases travel with deltas only to who knows them.</summary>
public sealed class RegionDeltaTests
{
    private const int Edits = 20;
    private readonly HostRig _rig = new();
    private int _edit;

    [Fact]
    public void Members_that_know_them_are_sent_deltas()
    {
        NodeRig node = _rig.Join(1);
        Publish(Edits);
        List<ReleaseMessage> messages = Streamed(node);
        Assert.Equal(Edits, messages.Count);
        // Not all are made in time.
        Assert.InRange(messages.Count(m => m.ShortForms is not null), Edits / 4, Edits - 1);
    }

    [Fact]
    public void While_one_does_not_all_are_sent_whole_values_from_before_its_first_sequence_on()
    {
        NodeRig node = _rig.Join(1);
        Publish(Edits);
        NodeRig old = _rig.Join(2, j => j with { ProtocolVersion = Join.ShortFormsVersion - 1 });
        int before = Streamed(node).Count;
        Publish(Edits);
        Assert.Equal(Edits, Streamed(old).Count);
        Assert.All(Streamed(old), m => Assert.Null(m.ShortForms));
        Assert.All(Streamed(node).Skip(before), m => Assert.Null(m.ShortForms));

        old.Send(new Leave("upgraded"));
        _rig.Run(2_000 * HostRig.MillisecondNs);
        before = Streamed(node).Count;
        Publish(Edits);
        Assert.Contains(Streamed(node).Skip(before), m => m.ShortForms is not null);
    }

    [Theory]
    [InlineData(Join.CurrentVersion)]
    [InlineData(Join.ShortFormsVersion - 1)]
    public void Who_catches_up_is_sent_what_it_knows(int version)
    {
        NodeRig node = _rig.Join(1);
        Publish(1);
        HeldState held = new(HostRig.Shop, 1, 1, Assert.Single(Streamed(node)).Header.Id);
        Publish(Edits);
        NodeRig late = _rig.Join(3, j => j with { ProtocolVersion = (ushort)version, Held = [held] });
        _rig.Run(100 * HostRig.MillisecondNs);
        ReleaseMessage[] messages = [.. late.All<CatchUpRelease>().Select(c => Read(c.Message))];
        Assert.Equal(Edits, messages.Length);
        Assert.Equal(version >= Join.ShortFormsVersion, messages.Any(m => m.ShortForms is not null));
    }

    private static ReleaseMessage Read(ReadOnlyMemory<byte> message)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message.Span, out ReleaseMessage? read));
        return read!;
    }

    private static List<ReleaseMessage> Streamed(NodeRig node) => [.. node.StreamedMessages().Select(m => m.Message)];

    private void Publish(int times)
    {
        for (int i = 0; i < times; i++)
        {
            string value = $"{++_edit} " + new string('x', 300) + string.Concat(Enumerable.Range(0, 30).Select(n => $"{n},"));
            _rig.Publish(HostRig.Shop, ("a.bin", Encoding.UTF8.GetBytes(value)));
        }

        _rig.Run(100 * HostRig.MillisecondNs);
    }
}
