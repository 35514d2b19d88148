using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

public sealed class ConnectionStringTests
{
    private const string Hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    private static readonly AccessTokenSecret Secret = AccessTokenSecret.New();

    [Fact]
    public void All_words_are_read()
    {
        var read = ConnectionString.Parse(
            $"endpoints = a.example:7400, [::1]:7401 "
                + $";Authority=sha256:{Hex};Token={Secret.Reveal()};Application=shop.web;Zone=eu-1;Name=w1;Labels=ring:canary,tier:2;");

        Assert.Equal([new("a.example", 7400), new("::1", 7401)], read.Endpoints);
        Assert.Equal(Hex, Convert.ToHexStringLower(read.Authority.Span));
        Assert.Equal(Secret.Reveal(), read.ReadToken().Reveal());
        Assert.Equal(("shop.web", "eu-1", "w1"), (read.Application, read.Zone, read.Name));
        Assert.Equal([new("ring", "canary"), new("tier", "2")], read.Labels);
    }

    [Fact]
    public void Token_is_masked_in_text_and_whole_in_the_file()
    {
        var read = ConnectionString.Parse($"Endpoints=h:1;Authority=sha256:{Hex};Token={Secret.Reveal()};Name=n");
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            File.WriteAllText(path, "an older file, readable by all");
            read.Write(path);

            Assert.Equal($"Endpoints=h:1;Authority=sha256:{Hex};Token=***;Name=n", read.ToString());
            Assert.Equal(Secret.Reveal(), ConnectionString.ReadFile(path).ReadToken().Reveal());
            if (!OperatingSystem.IsWindows())
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
            }
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Token_file_with_a_semicolon_in_its_path_survives_the_round_trip()
    {
        string path = Path.Combine(Path.GetTempPath(), $"a;b\"c {Path.GetRandomFileName()}");
        File.WriteAllText(path, Secret.Reveal() + "\nnotes");
        try
        {
            var read = ConnectionString.Parse(
                $"Endpoints=h:1;TokenFile=\"{path.Replace("\"", "\"\"", StringComparison.Ordinal)}\";Authority=sha256:{Hex}");
            Assert.Equal(path, read.TokenFile);
            Assert.Equal(path, ConnectionString.Parse(read.ToString()).TokenFile);
            Assert.Equal(Secret.Reveal(), read.ReadToken().Reveal());
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData(" before")]
    [InlineData("after ")]
    [InlineData("semi;colon")]
    [InlineData("quote\"")]
    [InlineData("plain")]
    public void A_value_is_read_as_it_was_written_with_the_spaces_around_it(string tokenFile)
    {
        var read = ConnectionString.Parse(
            $"Endpoints=h:1;Authority=sha256:{Hex};TokenFile=\"{tokenFile.Replace("\"", "\"\"", StringComparison.Ordinal)}\"");

        Assert.Equal(tokenFile, read.TokenFile);
        Assert.Equal(tokenFile, ConnectionString.Parse(read.ToString()).TokenFile);
    }

    [Theory]
    [InlineData("", "Endpoints is missing")]
    [InlineData("Endpoints", "Part 1 has no '='")]
    [InlineData("Endpoints=h:1;Sekret=1", "unknown word 'Sekret'. The words are Endpoints, Authority, Token, TokenFile")]
    [InlineData("Endpoints=h:1;abcdefghijklmnopqrstuvwx=1", "unknown word 'abcdefghijklmnopqrstuvwx'")]
    [InlineData("Endpoints=h:1;abcdefghijklmnopqrstuvwxy=1", "unknown word 'abcdefgh...'")]
    [InlineData("Endpoints=h:1;Endpoints=h:2", "Endpoints is given twice, the second time in part 2")]
    [InlineData("Endpoints=", "Endpoints (part 1) is empty")]
    [InlineData("Endpoints=h", "'h' has no port; write it as h:7400")]
    [InlineData("Endpoints=h:0", "the port '0', which is not a number from 1 to 65535")]
    [InlineData("Endpoints=h:65536", "port '65536'")]
    [InlineData("Endpoints=h:+1", "port '+1'")]
    [InlineData("Endpoints=::1:7400", "several colons; write an IPv6 address in brackets")]
    [InlineData("Endpoints=[::1]", "has no port; write it as [::1]:7400")]
    [InlineData("Endpoints=[1.2.3.4]:1", "IPv6 address between its brackets")]
    [InlineData("Endpoints=h:1,,k:2", "empty entry between commas")]
    [InlineData("Endpoints=a b:1", "does not start with a host name")]
    [InlineData("Endpoints=\"h:1;x", "starts with a double quote but does not end")]
    [InlineData("Endpoints=h:1", "Authority is missing")]
    [InlineData("Endpoints=h:1;Authority=md5:12", "is 'md5:12', which is not sha256: and 64")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex, "Token is missing")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";Token=a;TokenFile=b", "Token and TokenFile are both given")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";TokenFile=b;Application=Shop", "Application is 'Shop', which is not 1 to 100")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";TokenFile=b;Zone=e u", "Zone is 'e u'")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";TokenFile=b;Labels=a", "Labels has 'a', which is not key:value")]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";TokenFile=b;Labels=a:b,a:c", "Labels has the key 'a' twice")]
    public void Errors_say_which_part_is_wrong_and_what_to_write(string text, string expected)
    {
        Assert.False(ConnectionString.TryParse(text, out _, out string error));
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.Equal(error, Assert.Throws<FormatException>(() => ConnectionString.Parse(text)).Message);
    }

    [Theory]
    [InlineData("Endpoints=h:1;Authority=sha256:" + Hex + ";Token=")]
    [InlineData("Endpoints=h:1;Token ")]
    [InlineData("")]
    public void Errors_do_not_repeat_the_secret(string before)
    {
        string secret = Secret.Reveal()[..^1];
        Assert.False(ConnectionString.TryParse(before + secret, out _, out string error));
        Assert.DoesNotContain(secret[17..40], error, StringComparison.Ordinal);
    }
}
