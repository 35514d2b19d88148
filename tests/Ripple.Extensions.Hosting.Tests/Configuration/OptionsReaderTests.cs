using Microsoft.Extensions.Configuration;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Tests.Configuration;

/// <summary>Options from a section.</summary>
public sealed class OptionsReaderTests
{
    [Fact]
    public void Every_option_of_a_section_is_read()
    {
        RippleOptions options = Read(
            ("ConnectionStrings:ripple", "c"),
            ("Ripple:ripple:Application", "shop"),
            ("Ripple:ripple:Zone", "east"),
            ("Ripple:ripple:NodeName", "n"),
            ("Ripple:ripple:Labels:tier", "front"),
            ("Ripple:ripple:Keys:0", "a"),
            ("Ripple:ripple:Keys:1", "b/*"),
            ("Ripple:ripple:RootKey", "root"),
            ("Ripple:ripple:Prefix", "P"),
            ("Ripple:ripple:Optional", "true"),
            ("Ripple:ripple:StartupMode", "failfast"),
            ("Ripple:ripple:StartupTimeout", "00:00:03"),
            ("Ripple:ripple:SnapshotPath", "/s"),
            ("Ripple:ripple:MaxStaleness", "01:00:00"),
            ("Ripple:ripple:Precedence", "Highest"),
            ("Ripple:ripple:ValidationTimeout", "00:00:04"));

        Assert.Equal(("c", "shop", "east", "n"), (options.ConnectionString, options.Application, options.Zone, options.NodeName));
        Assert.Equal("front", options.Labels["tier"]);
        Assert.Equal(["a", "b/*"], options.Keys);
        Assert.Equal(("root", "P", true, "/s"), (options.RootKey, options.Prefix, options.Optional, options.SnapshotPath));
        Assert.Equal((StartupMode.FailFast, RipplePrecedence.Highest), (options.StartupMode, options.Precedence));
        Assert.Equal(
            (TimeSpan.FromSeconds(3), TimeSpan.FromHours(1), TimeSpan.FromSeconds(4)),
            (options.StartupTimeout, options.MaxStaleness, options.ValidationTimeout));
    }

    [Fact]
    public void The_section_is_before_the_connection_strings() =>
        Assert.Equal("own", Read(("ConnectionStrings:ripple", "c"), ("Ripple:ripple:ConnectionString", "own")).ConnectionString);

    [Theory]
    [InlineData("StartupMode", "Sometimes", "UseSnapshot, FailFast, Background")]
    [InlineData("StartupMode", "1", "UseSnapshot, FailFast, Background")]
    [InlineData("Optional", "perhaps", "true or false")]
    [InlineData("StartupTimeout", "soon", "a time as 00:00:10")]
    public void What_is_not_an_option_is_named_with_what_to_write(string key, string text, string expected)
    {
        string message = Assert.Throws<InvalidOperationException>(() => Read(($"Ripple:ripple:{key}", text))).Message;
        Assert.Contains($"'Ripple:ripple:{key}'", message, StringComparison.Ordinal);
        Assert.Contains(expected, message, StringComparison.Ordinal);
    }

    private static RippleOptions Read(params (string Key, string Value)[] values)
    {
        IConfigurationRoot root = new ConfigurationBuilder().AddInMemoryCollection(
            values.Select(v => KeyValuePair.Create(v.Key, (string?)v.Value))).Build();
        var options = new RippleOptions();
        OptionsReader.Read(root, "ripple", options);
        return options;
    }
}
