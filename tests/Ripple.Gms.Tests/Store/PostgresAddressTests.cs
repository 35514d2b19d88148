using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Tests.Store;

public sealed class PostgresAddressTests : IDisposable
{
    private readonly string _path = Path.Combine(Path.GetTempPath(), "ripple-address-" + Guid.NewGuid().ToString("N"));

    public void Dispose() => File.Delete(_path);

    [Theory]
    [InlineData("Host=/run/postgresql;Database=ripple;Username=ripple")]
    [InlineData("Host=127.0.0.1;Database=ripple;Username=ripple;Password=s3cr3t")]
    [InlineData("Host=localhost;Database=ripple;Username=ripple;Password=s3cr3t")]
    [InlineData("Host=::1;Database=ripple;Username=ripple;Password=s3cr3t")]
    [InlineData("Host=db.example;Database=ripple;Username=ripple;Password=s3cr3t;SSL Mode=VerifyFull")]
    [InlineData("Host=db-1.example,db-2.example;Database=ripple;Username=ripple;Password=s3cr3t;SSL Mode=VerifyFull")]
    public void What_is_local_or_checked_is_taken(string connectionString)
    {
        PostgresAddress address = PostgresAddress.Parse(connectionString, "a test");
        Assert.DoesNotContain("s3cr3t", address.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Host=db.example;Database=ripple;Username=ripple;Password=s3cr3t", "SSL Mode=VerifyFull")]
    [InlineData("Host=db.example;Database=ripple;Username=ripple;Password=s3cr3t;SSL Mode=Require", "SSL Mode=VerifyFull")]
    [InlineData("Host=127.0.0.1,db.example;Database=ripple;Password=s3cr3t;SSL Mode=Disable", "'db.example'")]
    [InlineData("Host=127.0.0.1.example;Database=ripple;Password=s3cr3t", "'127.0.0.1.example'")]
    [InlineData("Database=ripple;Password=s3cr3t", "names no host")]
    [InlineData("Host=/run/postgresql;Password=s3cr3t", "no database")]
    [InlineData("Host=/run/postgresql;Password=a;s3cr3t=b", "cannot be read")]
    [InlineData("Host=/run/postgresql;Port=s3cr3t", "cannot be read")]
    [InlineData("s3cr3t", "cannot be read")]
    public void What_is_wrong_is_refused_without_what_is_secret(string connectionString, string reason)
    {
        StoreException e = Assert.Throws<StoreException>(() => PostgresAddress.Parse(connectionString, "a test"));
        Assert.Contains(reason, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cr3t", e.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_others_may_read_is_refused()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no file modes.");
            return;
        }

        File.WriteAllText(_path, "Host=/run/postgresql;Database=ripple;Username=ripple;Password=s3cr3t\n");
        foreach (UnixFileMode mode in (UnixFileMode[])[UnixFileMode.GroupRead, UnixFileMode.OtherRead, UnixFileMode.GroupWrite])
        {
            File.SetUnixFileMode(_path, UnixFileMode.UserRead | UnixFileMode.UserWrite | mode);
            StoreException e = Assert.Throws<StoreException>(() => PostgresAddress.ReadFile(_path));
            Assert.Contains("by others than its owner", e.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("s3cr3t", e.ToString(), StringComparison.Ordinal);
        }

        File.SetUnixFileMode(_path, UnixFileMode.UserRead);
        Assert.Contains("'ripple'", PostgresAddress.ReadFile(_path).ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "cannot be read", Assert.Throws<StoreException>(() => PostgresAddress.ReadFile(_path + "x")).Message, StringComparison.Ordinal);
    }
}
