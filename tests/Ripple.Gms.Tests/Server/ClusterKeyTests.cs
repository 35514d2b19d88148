using Ripple.Gms.Server;

namespace Ripple.Gms.Tests.Server;

/// <summary>The key that seals the authority of a cluster in its database.</summary>
public sealed class ClusterKeyTests : IDisposable
{
    private static readonly Guid Cluster = Guid.NewGuid();
    private readonly TempDirectory _directory = new();

    public ClusterKeyTests() => Directory.CreateDirectory(_directory.Path);

    private string KeyPath => Path.Combine(_directory.Path, "cluster.key");

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void What_is_sealed_is_opened_with_a_copy_of_the_key_for_the_same_cluster_alone()
    {
        ClusterKey made = ClusterKey.Make(KeyPath);
        byte[] sealedBytes = made.Seal(Cluster, [1, 2, 3]);
        ClusterKey copy = ClusterKey.TryRead(KeyPath)!;
        Assert.Equal([1, 2, 3], copy.TryOpen(Cluster, sealedBytes));
        Assert.Null(copy.TryOpen(Guid.NewGuid(), sealedBytes));
        Assert.Null(ClusterKey.Make(KeyPath + "2").TryOpen(Cluster, sealedBytes));
        Assert.NotEqual(sealedBytes, made.Seal(Cluster, [1, 2, 3]));
    }

    [Fact]
    public void What_was_changed_or_cut_is_not_opened()
    {
        ClusterKey key = ClusterKey.Make(KeyPath);
        byte[] sealedBytes = key.Seal(Cluster, [1, 2, 3]);
        for (int i = 0; i < sealedBytes.Length; i++)
        {
            byte[] changed = [.. sealedBytes];
            changed[i] ^= 1;
            Assert.Null(key.TryOpen(Cluster, changed));
            Assert.Null(key.TryOpen(Cluster, sealedBytes.AsSpan(0, i)));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("abc")]
    [InlineData("zz0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd")]
    public void A_file_that_is_no_key_is_refused_with_the_remedy(string text)
    {
        ClusterKey.Make(KeyPath);
        File.WriteAllText(KeyPath, text);
        GmsServerException e = Assert.Throws<GmsServerException>(() => ClusterKey.TryRead(KeyPath));
        Assert.Contains("Copy the file of another host", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_that_others_may_read_is_refused()
    {
        Assert.Null(ClusterKey.TryRead(KeyPath));
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        ClusterKey.Make(KeyPath);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(KeyPath));
        File.SetUnixFileMode(KeyPath, UnixFileMode.UserRead | UnixFileMode.GroupRead);
        Assert.Contains(
            "chmod 600", Assert.Throws<GmsServerException>(() => ClusterKey.TryRead(KeyPath)).Message, StringComparison.Ordinal);
    }
}
