using Ripple.Gms.Server;

namespace Ripple.Gms.Tests.Server;

/// <summary>When a host asks the runtime for a collection, and of which kind.</summary>
public sealed class MemoryReturnTests
{
    private const long MiB = 1_024 * 1_024;
    private readonly Memory _memory = new();
    private readonly MemoryReturn _return;

    public MemoryReturnTests()
    {
        _return = new MemoryReturn(_memory);
        _return.Look();
    }

    [Fact]
    public void Behind_a_burst_it_collects_beside_the_work_and_then_moves_together_what_is_left()
    {
        Allocate(64);
        Allocate(1);
        Assert.Empty(_memory.Collected);
        Allocate(1);
        Assert.Equal([false], _memory.Collected);
        Allocate(1);
        Assert.Equal([false, true], _memory.Collected);
        for (int i = 0; i < 4; i++)
        {
            Allocate(1);
        }

        Assert.Equal([false, true], _memory.Collected);
    }

    [Theory]
    [InlineData(20, 30)]
    [InlineData(200, 400)]
    public void Where_little_would_be_given_back_or_the_pause_would_be_long_nothing_is_moved(long liveMiB, long heldMiB)
    {
        (_memory.LiveBytes, _memory.HeldBytes) = (liveMiB * MiB, heldMiB * MiB);
        Allocate(64);
        for (int i = 0; i < 4; i++)
        {
            Allocate(1);
        }

        Assert.Equal([false], _memory.Collected);
    }

    [Fact]
    public void While_there_is_much_to_do_the_runtime_is_left_alone()
    {
        for (int i = 0; i < 20; i++)
        {
            Allocate(10);
        }

        Assert.Empty(_memory.Collected);
    }

    [Fact]
    public void What_the_runtime_collected_by_itself_counts_from_the_look_before()
    {
        _memory.FullCollections++;
        Allocate(64);
        Allocate(1);
        Allocate(1);
        Assert.Equal([false], _memory.Collected);
    }

    [Fact]
    public void What_a_burst_took_is_given_back_though_the_runtime_collected_while_it_was_in_use()
    {
        _memory.ResidentBytes += 70 * MiB;
        Allocate(64);
        _memory.FullCollections++;
        for (int i = 0; i < 4; i++)
        {
            Allocate(1);
        }

        Assert.Equal([false, true], _memory.Collected);
    }

    [Fact]
    public void What_was_in_use_when_it_collected_and_ended_later_is_given_back_though_nothing_is_allocated_then()
    {
        _memory.LiveBytes = 55 * MiB;
        Allocate(64);
        Look(6);
        Assert.Equal([false], _memory.Collected);
        _memory.LiveBytes = 10 * MiB;
        Look(8);
        Assert.Equal([false, false, true], _memory.Collected);
    }

    [Fact]
    public void What_stays_in_use_is_asked_for_ever_more_seldom()
    {
        _memory.LiveBytes = 60 * MiB;
        _memory.ResidentBytes += 70 * MiB;
        int[] asked = [.. Enumerable.Range(0, 5).Select(i =>
        {
            Look(i == 0 ? 32 : 512);
            return _memory.Collected.Count;
        })];

        Assert.All(_memory.Collected, Assert.False);
        // After 4, 8, 16, 32 and more looks, and one of its own each; from 1,024 on as seldom as that.
        Assert.InRange(asked[0], 3, 4);
        Assert.InRange(asked[4], 8, 10);
        Assert.InRange(asked[4] - asked[3], 0, 1);
        Look(8_200);
        Assert.InRange(_memory.Collected.Count - asked[4], 7, 8);

        // From the beginning when the process has grown.
        _memory.ResidentBytes += 20 * MiB;
        int before = _memory.Collected.Count;
        Look(32);
        Assert.InRange(_memory.Collected.Count - before, 3, 4);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_collection_that_came_in_the_next_burst_or_never_is_asked_for_again(bool isBurst)
    {
        _memory.IsDeaf = !isBurst;
        Allocate(64);
        Look(2);
        Assert.Equal([false], _memory.Collected);
        Allocate(isBurst ? 64 : 0);
        Look(isBurst ? 7 : 15);
        _memory.IsDeaf = false;
        Look(10);
        Assert.Equal([false, false, true], _memory.Collected);
    }

    [Theory]
    [InlineData(10, 5)]
    [InlineData(1_024, 64)]
    public void Between_bursts_without_end_it_rests_in_proportion_to_what_is_in_use(long liveMiB, int restLooks)
    {
        (_memory.LiveBytes, _memory.HeldBytes) = (liveMiB * MiB, liveMiB * MiB);
        const int Bursts = 400;
        for (int i = 0; i < Bursts; i++)
        {
            // It may ask in the second, and looks again in the next burst.
            Allocate(64);
            Look(2);
        }

        Assert.InRange(_memory.Collected.Count, 3 * Bursts / (restLooks + 6), (3 * Bursts / restLooks) + 1);
    }

    [Fact]
    public void Where_little_was_found_at_last_the_next_burst_is_asked_for_from_the_beginning()
    {
        _memory.LiveBytes = 60 * MiB;
        Allocate(64);
        Look(600);
        _memory.LiveBytes = 10 * MiB;
        Look(600);
        int before = _memory.Collected.Count;
        _memory.LiveBytes = 60 * MiB;
        Allocate(64);
        Look(32);
        Assert.InRange(_memory.Collected.Count - before, 3, 4);
    }

    private void Look(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Allocate(0);
        }
    }

    private void Allocate(int mebibytes)
    {
        _memory.AllocatedBytes += mebibytes * MiB;
        _return.Look();
    }

    private sealed class Memory : IRuntimeMemory
    {
        public List<bool> Collected { get; } = [];

        /// <summary>It collects nothing, for it is collecting already.</summary>
        public bool IsDeaf { get; set; }

        public int FullCollections { get; set; }

        public long AllocatedBytes { get; set; }

        public long ResidentBytes { get; set; } = 100 * MiB;

        public long LiveBytes { get; set; } = 10 * MiB;

        public long HeldBytes { get; set; } = 60 * MiB;

        public (long LiveBytes, long HeldBytes) Found() => (LiveBytes, HeldBytes);

        public void Collect(bool isCompacting)
        {
            Collected.Add(isCompacting);
            FullCollections += IsDeaf ? 0 : 1;
        }
    }
}
