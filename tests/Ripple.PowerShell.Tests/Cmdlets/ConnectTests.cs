using System.Management.Automation;
using System.Security;
using Ripple.Admin.Profiles;
using Ripple.Admin.Tests;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Pipeline;
using Ripple.PowerShell.Tests.Engine;
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
        RuntimeException failure = Fails("Text", new { ConnectionString = text.Replace("SECRET", Secret, StringComparison.Ordinal) });

        Assert.Equal("Ripple.invalid_connection", failure.ErrorRecord!.FullyQualifiedErrorId);
        Assert.DoesNotContain(Secret, failure.ToString(), StringComparison.Ordinal);
        Assert.Null(failure.ErrorRecord.TargetObject);
    }

    [Fact]
    public void A_secret_is_taken_as_one_and_not_told()
    {
        using var secret = new SecureString();
        foreach (char c in $"Endpoints=host.test:1;Authority=sha256:00;Token={Secret}")
        {
            secret.AppendChar(c);
        }

        RuntimeException failure = Fails("Secret", new { SecureConnectionString = secret });

        Assert.Equal("Ripple.invalid_connection", failure.ErrorRecord!.FullyQualifiedErrorId);
        Assert.Contains("Authority", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, failure.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("File")]
    [InlineData("Secret")]
    public void What_is_given_and_empty_is_an_error_and_not_the_environments(string parameterSet)
    {
        object given = parameterSet switch
        {
            "Text" => new { ConnectionString = string.Empty },
            "File" => new { Path = string.Empty },
            _ => new { SecureConnectionString = (SecureString?)null },
        };

        Assert.Equal("Ripple.invalid_connection", Fails(parameterSet, given).ErrorRecord!.FullyQualifiedErrorId);
        Assert.Null(RippleSession.Default);
    }

    [Fact]
    public void A_file_that_is_not_there_is_an_error_and_one_that_holds_none_is_named()
    {
        string path = Path.GetTempFileName();
        File.WriteAllText(path, "nonsense");

        Assert.Equal("Ripple.unreadable", Fails("File", new { Path = "no-such-file" }).ErrorRecord!.FullyQualifiedErrorId);
        Assert.Contains($"'{path}' holds no connection string", Fails("File", new { Path = path }).Message, StringComparison.Ordinal);
        Assert.Contains("give it as -Path", Fails("Text", new { ConnectionString = path }).Message, StringComparison.Ordinal);
        File.Delete(path);
    }

    [Fact]
    public void Without_a_connection_string_it_is_the_environments()
    {
        string? before = Environment.GetEnvironmentVariable(ConnectionProfile.StringVariable);
        RuntimeException failure;
        try
        {
            Environment.SetEnvironmentVariable(ConnectionProfile.StringVariable, $"nonsense Token={Secret}");

            failure = Fails("Text", null);
        }
        finally
        {
            Environment.SetEnvironmentVariable(ConnectionProfile.StringVariable, before);
        }

        Assert.Equal("Ripple.invalid_connection", failure.ErrorRecord!.FullyQualifiedErrorId);
        Assert.Contains(ConnectionProfile.StringVariable, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, failure.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_connection_that_fails_ends_the_script_and_leaves_none()
    {
        RuntimeException failure = Fails(
            "Text", new { ConnectionString = $"Endpoints=127.0.0.1:1;Authority=sha256:{new string('a', 64)};Token={Secret}" });

        Assert.Equal("Ripple.unreachable", failure.ErrorRecord!.FullyQualifiedErrorId);
        Assert.True(failure.WasThrownFromThrowStatement);
        Assert.Null(RippleSession.Default);
        Assert.Empty(Pipeline.Output);
        // What follows is not done to the cluster before.
        Assert.Equal(
            ["Ripple.not_connected"], new TestPipeline().Run<GetRippleReleaseCommand>(null, new { Application = "orders" }).ErrorIds);
        Assert.Empty(Cluster.Asked);
    }

    [Fact]
    public void Connecting_again_with_the_same_string_is_the_same_client_and_few_are_kept()
    {
        var connection = ConnectionString.Parse(FakeHost.ConnectionText);
        object first = KnownClients.Get(connection);

        Assert.Same(first, KnownClients.Get(ConnectionString.Parse(FakeHost.ConnectionText)));
        for (int i = 0; i < KnownClients.KeptMax; i++)
        {
            // Another token: others may do other things.
            Assert.NotSame(first, KnownClients.Get(ConnectionString.Parse(
                $"Endpoints=host.test:7400;Authority=sha256:{new string('a', 64)};Token={AccessTokenSecret.New().Reveal()}")));
        }

        Assert.NotSame(first, KnownClients.Get(connection));
    }

    private RuntimeException Fails(string parameterSet, object? parameters) =>
        Assert.Throws<RuntimeException>(() => Pipeline.Run<ConnectRippleCommand>(parameterSet, parameters));
}
