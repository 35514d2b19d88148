using Ripple.Client.State;
using Ripple.Engine.Protocol;

namespace Ripple.Client.Tests;

public sealed class SettingsResolverTests
{
    private const string Authority = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
    private const string Base = $"Endpoints=h1:7400;Authority={Authority};TokenFile=/t";

    [Fact]
    public void The_connection_string_says_what_the_options_leave_open()
    {
        ClientSettings settings = SettingsResolver.Resolve(Base + ";Application=shop;Zone=eu-1;Name=n1;Labels=rack:7,tier:web", new());
        Assert.Equal("shop", settings.Application);
        Assert.Equal("eu-1", settings.Zone);
        Assert.Equal("n1", settings.Name);
        Assert.Equal(["rack=7", "tier=web"], settings.Labels.Select(l => $"{l.Key}={l.Value}"));
        Assert.Equal(["shop"], settings.Applications);
    }

    [Fact]
    public void The_options_win_over_the_connection_string()
    {
        ClientSettings settings = SettingsResolver.Resolve(
            Base + ";Application=shop;Zone=eu-1;Name=n1;Labels=rack:7",
            new()
            {
                Application = "cart",
                Zone = "us-2",
                Name = "n2",
                Labels = new Dictionary<string, string> { ["disk"] = "ssd" },
                Interest = ["shop", "cart"],
            });
        Assert.Equal("cart", settings.Application);
        Assert.Equal("us-2", settings.Zone);
        Assert.Equal("n2", settings.Name);
        Assert.Equal(["disk=ssd"], settings.Labels.Select(l => $"{l.Key}={l.Value}"));
        Assert.Equal(["cart", "shop"], settings.Applications.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Without_either_there_are_defaults()
    {
        ClientSettings settings = SettingsResolver.Resolve(Base + ";Application=shop", new());
        Assert.Equal("default", settings.Zone);
        Assert.NotEqual("", settings.Name);
        Assert.Empty(settings.Labels);
    }

    [Fact]
    public void What_the_rooms_need_of_the_options_is_passed_on()
    {
        Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>> accept = (_, _) => ValueTask.FromResult(ReleaseDecision.Accept);
        ClientSettings settings = SettingsResolver.Resolve(
            Base + ";Application=shop",
            new()
            {
                AcceptRelease = accept,
                AcceptTimeout = TimeSpan.FromSeconds(7),
                SnapshotMode = SnapshotMode.Off,
                SnapshotDirectory = "/somewhere",
            });
        Assert.Same(accept, settings.AcceptRelease);
        Assert.Equal(TimeSpan.FromSeconds(7), settings.AcceptTimeout);
        Assert.Equal(SnapshotMode.Off, settings.SnapshotMode);
        Assert.Equal("/somewhere", settings.SnapshotDirectory);
    }

    [Theory]
    [InlineData("nonsense", "", "connection string")]
    [InlineData(Base, "", "Application=")]
    [InlineData(Base, "Shop", "'S'")]
    public void What_is_wrong_is_said_with_what_to_write(string connectionString, string application, string text)
    {
        RippleClientOptions options = new() { Application = application.Length > 0 ? application : null };
        RippleException e = Assert.Throws<RippleException>(() => SettingsResolver.Resolve(connectionString, options));
        Assert.Equal(ErrorCode.InvalidRequest, e.Code);
        Assert.Contains(text, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bounds_of_options_are_checked()
    {
        Check(new() { Zone = "a b" }, "Zone");
        Check(new() { Name = new string('n', 65) }, "Name");
        Check(new() { Labels = new Dictionary<string, string> { ["a b"] = "c" } }, "Labels");
        Check(new() { Interest = [.. Enumerable.Range(0, 1_024).Select(i => $"a{i}")] }, "interest");
        Check(new() { ConnectTimeout = TimeSpan.Zero }, "ConnectTimeout");
        Check(new() { AcceptTimeout = TimeSpan.FromDays(2) }, "AcceptTimeout");

        static void Check(RippleClientOptions options, string text)
        {
            RippleException e = Assert.Throws<RippleException>(() => SettingsResolver.Resolve(Base + ";Application=shop", options));
            Assert.Contains(text, e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_token_is_in_no_error()
    {
        const string Secret = "0011223344556677.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        string withToken = Base.Replace("TokenFile=/t", "Token=" + Secret, StringComparison.Ordinal);
        RippleException e = Assert.Throws<RippleException>(() => SettingsResolver.Resolve(withToken, new()));
        Assert.DoesNotContain("AAAAAAAA", e.Message, StringComparison.Ordinal);
    }
}
