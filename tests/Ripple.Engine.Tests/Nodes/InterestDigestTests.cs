using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Nodes;

public sealed class InterestDigestTests
{
    [Fact]
    public void Up_to_64_applications_are_hashed_in_order_as_older_versions_do()
    {
        string[] applications = Applications(64);
        var vector = new InterestDigest(applications.Reverse());
        using var all = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        all.AppendData("ripple/vector/1"u8);
        for (int i = 0; i < applications.Length; i++)
        {
            vector.Set(applications[i], 2, (ulong)i, Id(i));
            all.AppendData(Entry(applications[i], i == 0 ? 0u : 2, (ulong)i, Id(i)));
        }

        Assert.Equal(Digest160.Read(all.GetHashAndReset()), vector.Digest);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1_024)]
    public void The_digest_is_of_the_newest_states_however_they_came(int count)
    {
        string[] applications = Applications(count);
        var straight = new InterestDigest(applications);
        var detour = new InterestDigest(applications.Reverse());
        for (int i = 0; i < count; i++)
        {
            straight.Set(applications[i], 1, 5, Id(i));
            detour.Set(applications[count - 1 - i], 1, 4, Id(9_000 + i));
        }

        Assert.NotEqual(straight.Digest, detour.Digest);
        foreach (int i in Enumerable.Range(0, count))
        {
            Assert.NotEqual(straight.Digest, detour.Digest);
            detour.Set(applications[i], 1, 5, Id(i));
        }

        Assert.Equal(straight.Digest, detour.Digest);
        straight.Set(applications[^1], 1, 5, Id(9_999));
        Assert.NotEqual(straight.Digest, detour.Digest);
    }

    [Fact]
    public void In_an_interest_above_64_states_that_change_places_show()
    {
        string[] applications = Applications(65);
        var one = new InterestDigest(applications);
        var other = new InterestDigest(applications);
        one.Set(applications[1], 1, 7, Id(7));
        one.Set(applications[2], 1, 8, Id(8));
        other.Set(applications[2], 1, 7, Id(7));
        other.Set(applications[1], 1, 8, Id(8));
        Assert.NotEqual(one.Digest, other.Digest);
    }

    [Fact]
    public void A_generation_without_a_release_does_not_show()
    {
        var vector = new InterestDigest(Applications(65));
        Digest160 before = vector.Digest;
        vector.Set("app3", 4, 0, default);
        Assert.Equal(before, vector.Digest);
    }

    private static string[] Applications(int count) =>
        [.. Enumerable.Range(0, count).Select(i => $"app{i}").Order(StringComparer.Ordinal)];

    private static Digest160 Id(int of) => Digest160.Hash("id"u8, BitConverter.GetBytes(of));

    private static byte[] Entry(string application, uint generation, ulong release, Digest160 id)
    {
        byte[] name = Encoding.UTF8.GetBytes(application);
        byte[] numbers = new byte[12];
        BinaryPrimitives.WriteUInt32LittleEndian(numbers, generation);
        BinaryPrimitives.WriteUInt64LittleEndian(numbers.AsSpan(4), release);
        return [(byte)name.Length, .. name, .. numbers, .. id.ToArray()];
    }
}
