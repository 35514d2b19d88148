using System.Globalization;
using System.Threading.Channels;
using Ripple.Client;
using Ripple.Load.Push;

namespace Ripple.Load.Tests.Push;

public sealed class NodeArrivalsTests
{
    private readonly Channel<string> _lines = Channel.CreateUnbounded<string>();
    private readonly Arrivals _arrivals;
    private readonly NodeArrivals _node;

    public NodeArrivalsTests()
    {
        _arrivals = new Arrivals(1, _lines.Writer);
        _node = new NodeArrivals(_arrivals);
    }

    [Fact]
    public void Each_release_is_the_arrival_of_its_publish()
    {
        Add(release: 1, publish: 1);
        Add(release: 2, publish: 0);

        Assert.Equal([(1, 1), (0, 2)], Told());
        Assert.Equal(0, _arrivals.Skipped);
    }

    [Fact]
    public void A_release_that_was_left_out_has_arrived_with_the_next_one()
    {
        Add(release: 1, publish: 0);
        Add(release: 4, publish: 3);

        Assert.Equal([(0, 1), (3, 4), (1, 0), (2, 0)], Told());
        Assert.Equal(2, _arrivals.Skipped);
    }

    [Fact]
    public void Every_publish_arrives_once_where_the_one_left_out_had_changed_places()
    {
        Add(release: 1, publish: 0);
        // Release 2 was left out, and is publish 4.
        Add(release: 3, publish: 1);
        Add(release: 4, publish: 2);
        Add(release: 5, publish: 3);
        Add(release: 6, publish: 5);

        Assert.Equal([0, 1, 2, 3, 4, 5], Told().Select(t => t.Publish).Order());
        Assert.Equal(6, _arrivals.Total);
    }

    [Fact]
    public void A_release_that_comes_again_is_no_arrival()
    {
        Add(release: 1, publish: 0);
        Add(release: 1, publish: 0);

        Assert.Equal(1, _arrivals.Total);
    }

    [Fact]
    public void Settings_bring_all_publishes_before_them_and_none_twice()
    {
        AddSettings(2);
        AddSettings(1);
        AddSettings(3);

        Assert.Equal([0, 1, 2, 3], Told().Select(t => t.Publish));
    }

    [Fact]
    public void A_value_with_another_hash_is_no_arrival()
    {
        byte[] value = LoadValue.Make(0, 64);
        value[20] ^= 1;
        _node.Add(ReleaseOf(1, value));

        Assert.Equal((1, 0), (_arrivals.Bad, _arrivals.Total));
    }

    private void Add(ulong release, int publish) => _node.Add(ReleaseOf(release, LoadValue.Make(publish, 64)));

    private void AddSettings(int publish)
    {
        using var json = System.Text.Json.JsonDocument.Parse(LoadValue.MakeSettings(publish, 200));
        _node.Add(new LoadSettings
        {
            Publish = publish,
            Content = json.RootElement.GetProperty(nameof(LoadSettings.Content)).GetString()!,
            Hash = json.RootElement.GetProperty(nameof(LoadSettings.Hash)).GetString()!,
        });
    }

    private static RippleRelease ReleaseOf(ulong release, byte[] value) => new()
    {
        Application = "load",
        Release = release,
        Values = new Dictionary<string, ReadOnlyMemory<byte>> { [LoadValue.Key] = value },
    };

    private List<(int Publish, int Release)> Told()
    {
        var told = new List<(int, int)>();
        while (_lines.Reader.TryRead(out string? line))
        {
            string[] words = line.Split(' ');
            Assert.Equal(Arrivals.Word, words[0]);
            told.Add((int.Parse(words[1], CultureInfo.InvariantCulture), int.Parse(words[2], CultureInfo.InvariantCulture)));
        }

        return told;
    }
}
