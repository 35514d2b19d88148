using Ripple.Admin.Profiles;
using Ripple.Trust;

namespace Ripple.Cli.Tests;

public sealed class ProfileTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly Dictionary<string, string> _environment = new(StringComparer.Ordinal);
    private readonly ConnectionProfile _profile;

    public ProfileTests()
    {
        _environment["HOME"] = _environment["APPDATA"] = _folder.Path;
        _profile = new ConnectionProfile(name => _environment.GetValueOrDefault(name));
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_is_given_goes_before_the_environment_and_the_profile()
    {
        Assert.Contains("ripple connect", Assert.Throws<FormatException>(() => _profile.Resolve()).Message, StringComparison.Ordinal);

        _profile.Save(Connection("profile", out _));
        Assert.Equal("profile", _profile.Resolve().Endpoints[0].Host);

        _environment[ConnectionProfile.FileVariable] = _folder.File("file", Text("file"));
        Assert.Equal("file", _profile.Resolve().Endpoints[0].Host);

        _environment[ConnectionProfile.StringVariable] = Text("string");
        Assert.Equal("string", _profile.Resolve().Endpoints[0].Host);

        Assert.Equal("given", _profile.Resolve(Text("given")).Endpoints[0].Host);
        Assert.Equal("other", _profile.Resolve(_folder.File("other", Text("other") + "\n")).Endpoints[0].Host);
    }

    [Fact]
    public void Profile_is_where_the_system_keeps_such_files_and_its_owner_alone_reads_it()
    {
        ConnectionString saved = Connection("h", out AccessTokenSecret secret);
        _profile.Save(saved);
        Assert.Equal(
            OperatingSystem.IsWindows() ? _folder.PathOf("Ripple/connection") : _folder.PathOf(".config/ripple/connection"), _profile.Path);
        Assert.Equal(secret.Reveal(), _profile.Resolve().Token!.Reveal());
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_profile.Path));
            _environment["XDG_CONFIG_HOME"] = "relative";
            Assert.Equal(_folder.PathOf(".config/ripple/connection"), _profile.Path);
            _environment["XDG_CONFIG_HOME"] = _folder.PathOf("xdg");
            Assert.Equal(_folder.PathOf("xdg/ripple/connection"), _profile.Path);
        }
    }

    [Fact]
    public void Secrets_are_never_part_of_an_error()
    {
        AccessTokenSecret secret = AccessTokenSecret.New();
        string good = Text("h", secret);
        foreach (string text in (string[])[$"{good};Bogus", good.Replace(
            "Authority=", "Authority=x", StringComparison.Ordinal), $"Token={secret.Reveal()}", good + "x"])
        {
            string said = Assert.Throws<FormatException>(() => _profile.Resolve(text)).ToString();
            Assert.DoesNotContain(secret.Reveal()[17..], said, StringComparison.Ordinal);
        }

        _environment[ConnectionProfile.StringVariable] = good + ";Zone=";
        Assert.Contains(
            ConnectionProfile.StringVariable, Assert.Throws<FormatException>(() => _profile.Resolve()).Message, StringComparison.Ordinal);
        _environment.Clear();
        _environment[ConnectionProfile.FileVariable] = _folder.PathOf("nowhere");
        Assert.Contains("cannot be read", Assert.Throws<FormatException>(() => _profile.Resolve()).Message, StringComparison.Ordinal);
    }

    private static string Text(string host, AccessTokenSecret? secret = null) =>
        $"Endpoints={host}:7400;Authority=sha256:{new string('a', 64)};Token={(secret ?? AccessTokenSecret.New()).Reveal()}";

    private static ConnectionString Connection(string host, out AccessTokenSecret secret)
    {
        secret = AccessTokenSecret.New();
        return ConnectionString.Parse(Text(host, secret));
    }
}
