using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>How many keys a node takes, and what it says of more.</summary>
public sealed class SnapshotIntakeTests
{
    private readonly ReplicaRig _rig = new();
    private readonly List<IntakeRefusal> _refused = [];
    private int _taken;

    [Fact]
    public void As_many_keys_are_taken_as_an_application_may_have_and_no_more()
    {
        var parts = new SnapshotParts(1, 5, ("a", ""), ("b", ""), ("c", ""));
        SnapshotIntake small = Make(2);
        Send(small, parts);
        Assert.Equal("a snapshot of more than 2 keys, the most an application may have", Assert.Single(_refused).Why);
        Assert.Equal(5UL, _refused[0].Release);
        Assert.Empty(_rig.Applied);

        Send(Make(3), parts);
        Assert.Equal(1, _taken);
        Assert.Single(_rig.Applied);
        Assert.Equal(ReleaseLimits.KeysMax, new SnapshotIntake(_rig.Replica, _rig.Verifier, _refused.Add, () => { }).KeysMax);
    }

    [Fact]
    public void A_key_that_comes_twice_spoils_the_snapshot()
    {
        var parts = new SnapshotParts(1, 5, ("a", ""), ("b", ""));
        SnapshotIntake intake = Make(10);
        intake.OnBegin(parts.Begin);
        intake.OnKeys(parts.Keys);
        intake.OnKeys(parts.Keys);
        intake.OnEnd(parts.End);
        Assert.Equal("a snapshot with a key that is not valid, or comes twice", Assert.Single(_refused).Why);

        // The next one is judged by itself.
        Send(intake, parts);
        Assert.Equal(1, _taken);
    }

    private static void Send(SnapshotIntake intake, SnapshotParts parts)
    {
        intake.OnBegin(parts.Begin);
        intake.OnKeys(parts.Keys);
        intake.OnEnd(parts.End);
    }

    private SnapshotIntake Make(int keysMax) => new(_rig.Replica, _rig.Verifier, _refused.Add, () => _taken++) { KeysMax = keysMax };
}
