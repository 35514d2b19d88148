using Ripple.Admin.Profiles;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Connect-Ripple, where it fails; where it does not, a real host is needed.</summary>
public sealed class ConnectTests : CmdletTest
{
    private static readonly string Secret = AccessTokenSecret.New().Reveal();

    [Theory]
    [InlineData("nonsense")]
    [InlineData("Endpoints=host.test:1;Authority=sha256:00;Token=SECRET")]
    public void What_is_no_connection_string_is_an_error_without_its_secret(string text)
    {
        Pipeline.Run<ConnectRippleCommand>("Text", new { ConnectionString = text.Replace("SECRET", Secret, StringComparison.Ordinal) });

        Assert.Equal(["Ripple.invalid_connection"], Pipeline.ErrorIds);
        Assert.DoesNotContain(Secret, Pipeline.Errors[0].Exception.ToString(), StringComparison.Ordinal);
        Assert.Null(Pipeline.Errors[0].TargetObject);
    }

    [Fact]
    public void A_file_that_is_not_there_is_an_error()
    {
        Pipeline.Run<ConnectRippleCommand>("File", new { Path = "no-such-file" });

        Assert.Equal(["Ripple.unreadable"], Pipeline.ErrorIds);
    }

    [Fact]
    public void Without_a_connection_string_it_is_the_environments()
    {
        string? before = Environment.GetEnvironmentVariable(ConnectionProfile.StringVariable);
        try
        {
            Environment.SetEnvironmentVariable(ConnectionProfile.StringVariable, $"nonsense Token={Secret}");

            Pipeline.Run<ConnectRippleCommand>("Text", null);
        }
        finally
        {
            Environment.SetEnvironmentVariable(ConnectionProfile.StringVariable, before);
        }

        Assert.Equal(["Ripple.invalid_connection"], Pipeline.ErrorIds);
        Assert.Contains(ConnectionProfile.StringVariable, Pipeline.Errors[0].Exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, Pipeline.Errors[0].Exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_connection_that_fails_leaves_the_one_before()
    {
        object before = RippleSession.Client!;

        Pipeline.Run<ConnectRippleCommand>(
            "Text", new { ConnectionString = $"Endpoints=127.0.0.1:1;Authority=sha256:{new string('a', 64)};Token={Secret}" });

        Assert.Equal(["Ripple.unreachable"], Pipeline.ErrorIds);
        Assert.Same(before, RippleSession.Client);
        Assert.Empty(Pipeline.Output);
    }
}
