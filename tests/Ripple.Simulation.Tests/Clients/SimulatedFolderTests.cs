using Ripple.Engine.Core;
using Ripple.Simulator.Clients;

namespace Ripple.Simulation.Tests.Clients;

public sealed class SimulatedFolderTests
{
    private static readonly string Folder = Path.GetFullPath("/state");
    private static readonly string Name = Path.Combine(Folder, "a");

    [Fact]
    public void What_was_flushed_survives_a_loss_of_power()
    {
        var folder = new SimulatedFolder(new DeterministicRandom(1));
        folder.Put(Name + ".new", File("1"));
        folder.Move(Name + ".new", Name);
        folder.Flush(Folder);

        folder.LosePower();

        Assert.Equal([Name], folder.Paths);
        Assert.Equal("1"u8.ToArray(), folder.Find(Name)!.Content.ToArray());
    }

    [Fact]
    public void A_name_that_was_not_flushed_is_the_old_one_or_the_new_one()
    {
        var found = new SortedSet<string>(StringComparer.Ordinal);
        for (ulong seed = 0; seed < 50; seed++)
        {
            var folder = new SimulatedFolder(new DeterministicRandom(seed));
            folder.Put(Name, File("1"));
            folder.Flush(Folder);
            folder.Put(Name + ".new", File("2"));
            folder.Move(Name + ".new", Name);
            folder.LosePower();
            found.Add(System.Text.Encoding.UTF8.GetString(folder.Find(Name)!.Content.Span));
        }

        Assert.Equal(["1", "2"], found);
    }

    [Fact]
    public void Content_that_was_not_flushed_is_cut()
    {
        var lengths = new SortedSet<int>();
        for (ulong seed = 0; seed < 50; seed++)
        {
            var folder = new SimulatedFolder(new DeterministicRandom(seed));
            folder.Put(Name, new SimulatedFile(new byte[4], null, IsFlushed: false));
            folder.Flush(Folder);
            folder.LosePower();
            lengths.Add(folder.Find(Name)!.Content.Length);
        }

        Assert.Equal([0, 1, 2, 3, 4], lengths);
    }

    [Fact]
    public void A_flip_changes_one_bit()
    {
        var folder = new SimulatedFolder(new DeterministicRandom(1));
        folder.Put(Name, new SimulatedFile(new byte[8], "mark", IsFlushed: true));

        folder.Flip();

        Assert.Equal(1, folder.Find(Name)!.Content.ToArray().Sum(b => System.Numerics.BitOperations.PopCount(b)));
        Assert.Null(folder.Find(Name)!.Mark);
    }

    private static SimulatedFile File(string text) => new(System.Text.Encoding.UTF8.GetBytes(text), null, IsFlushed: true);
}
