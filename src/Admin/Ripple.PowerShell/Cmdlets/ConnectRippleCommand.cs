using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Profiles;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Connects the cmdlets of this process to a cluster.</summary>
[Cmdlet(VerbsCommunications.Connect, "Ripple", DefaultParameterSetName = "Text")]
[OutputType(typeof(RippleConnection))]
public sealed class ConnectRippleCommand : RippleCmdlet
{
    /// <summary>
    /// The connection string. By default the one the command line would use: from the environment, or else the one saved by this user.
    /// </summary>
    [Parameter(Position = 0, ParameterSetName = "Text")]
    [ValidateNotNullOrEmpty]
    public string? ConnectionString { get; set; }

    /// <summary>A file that contains the connection string.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "File", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    [ValidateNotNullOrEmpty]
    public string? Path { get; set; }

    /// <summary>Connects, and asks the host for the caller's identity.</summary>
    protected override void ProcessRecord()
    {
        RippleAdminClient? client = null;
        RippleConnection? connection = null;
        object? target = Path;
        string? path = Path is null ? null : GetUnresolvedProviderPathFromPSPath(Path);
        bool isConnected = Work(target, async (_, cancellationToken) =>
        {
            client = new RippleAdminClient(Read(path), new RippleAdminOptions { UserAgent = "Ripple.PowerShell" });
            Identity identity = await client.GetIdentityAsync(cancellationToken).ConfigureAwait(false);
            connection = new RippleConnection(await client.GetClusterAsync(cancellationToken).ConfigureAwait(false), identity);
        });
        if (isConnected)
        {
            RippleSession.Use(client!);
            WriteObject(connection);
        }
        else
        {
            client?.Dispose();
        }
    }

    private ConnectionString Read(string? path)
    {
        try
        {
            if (path is not null)
            {
                return Trust.ConnectionString.ReadFile(path);
            }

            return ConnectionString is null ? new ConnectionProfile().Resolve() : Trust.ConnectionString.Parse(ConnectionString);
        }
        catch (FormatException e)
        {
            throw new CmdletException(ErrorCodes.InvalidConnection, e.Message, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CmdletException(ErrorCodes.Unreadable, $"The connection string cannot be read: {e.Message}", e);
        }
    }
}
