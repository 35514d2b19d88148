using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Tests.Store;

public sealed class PostgresPositionTests
{
    private static readonly PostgresServer Server = new(7, 2);
    private static readonly PostgresPosition Seen = new(10, 110, Server);

    [Theory]
    [InlineData(10, 110, 109)]
    [InlineData(11, 111, 110)]
    [InlineData(99, 199, 198)]
    public void A_database_at_the_position_or_later_is_no_copy(long number, long newest, long before) =>
        Assert.Null(Seen.WhatDiffers(Server, number, [newest, before]));

    [Theory]
    [InlineData(9, 109, 108, "it has 9 commits, and 10 were seen here")]
    [InlineData(10, 111, 109, "its commit 10 is another one")]
    [InlineData(11, 111, 109, "its commit 10 is another one")]
    public void A_database_that_lacks_a_commit_is_a_copy(long number, long newest, long before, string reason) =>
        Assert.StartsWith(reason, Seen.WhatDiffers(Server, number, [newest, before]), StringComparison.Ordinal);

    [Fact]
    public void Another_server_and_an_earlier_line_of_history_are_a_copy_and_a_later_one_is_a_failover()
    {
        Assert.Contains("another server", Seen.WhatDiffers(new(8, 2), 10, [110])!, StringComparison.Ordinal);
        Assert.Contains("timeline 1", Seen.WhatDiffers(new(7, 1), 10, [110])!, StringComparison.Ordinal);
        Assert.Null(Seen.WhatDiffers(new(7, 3), 10, [110]));
        // What a database does not tell says nothing.
        Assert.Null(Seen.WhatDiffers(default, 10, [110]));
    }

    [Fact]
    public void A_position_comes_back_and_a_damaged_one_is_none()
    {
        string path = Path.Combine(Path.GetTempPath(), "ripple-position-" + Guid.NewGuid().ToString("N"));
        try
        {
            using (var file = new PostgresPositionFile(path))
            {
                Assert.Null(file.Position);
                file.Write(Seen);
                file.Flush();
            }

            using (var file = new PostgresPositionFile(path))
            {
                Assert.Equal(Seen, file.Position);
            }

            byte[] bytes = File.ReadAllBytes(path);
            bytes[9] ^= 1;
            File.WriteAllBytes(path, bytes);
            using var damaged = new PostgresPositionFile(path);
            Assert.Null(damaged.Position);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
