using Ripple.Simulator.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class RevocationCheckerTests
{
    private const long SecondNs = 1_000_000_000;
    private readonly OracleWorld _world = new();
    private readonly RevocationChecker _checker;

    public RevocationCheckerTests()
    {
        _checker = new RevocationChecker(_world.World, _world.Members);
        _world.First.Machine.Peer = _world.First.Machine.Peer with { TokenId = "first" };
        Join();
        _world.World.LastStepped = _world.First.Machine;
    }

    [Fact]
    public void A_member_may_stay_for_some_seconds_and_no_longer()
    {
        _world.Advance(SecondNs);
        _checker.OnRevoked("first");
        _world.Advance(4 * SecondNs);
        _checker.OnStep(_world.World.Scheduler.NowNs);
        _world.Advance(2 * SecondNs);

        Fails("Revocation", () => _checker.OnStep(_world.World.Scheduler.NowNs));
    }

    [Fact]
    public void Another_token_is_none_of_its_business()
    {
        _checker.OnRevoked("second");
        _world.Advance(10 * SecondNs);
        _checker.OnStep(_world.World.Scheduler.NowNs);
    }

    [Fact]
    public void A_restore_brings_back_what_was_revoked_after_the_copy()
    {
        _checker.OnCopied();
        _checker.OnRevoked("first");
        _checker.OnRestored();
        _world.Advance(10 * SecondNs);
        _checker.OnStep(_world.World.Scheduler.NowNs);
        _checker.OnRevoked("first");
        _checker.OnCopied();
        _checker.OnRestored();
        _world.Advance(10 * SecondNs);

        Fails("Revocation", () => _checker.OnStep(_world.World.Scheduler.NowNs));
    }

    [Fact]
    public void A_member_that_is_disturbed_or_new_is_not_judged()
    {
        _checker.OnRevoked("first");
        _world.World.Disturbances.Add([_world.First.Machine], 8 * SecondNs);
        _world.Advance(10 * SecondNs);
        _checker.OnStep(_world.World.Scheduler.NowNs);
        Join();
        _world.Advance(4 * SecondNs);
        _checker.OnStep(_world.World.Scheduler.NowNs);
    }

    private void Join() => _world.First.Join(new NodeSessionRecord(1, _world.World.Scheduler.NowNs, _world.Host.StartCount));
}
