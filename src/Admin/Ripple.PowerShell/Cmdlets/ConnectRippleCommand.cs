using System.Management.Automation;
using System.Net;
using System.Security;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Profiles;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>
/// Connects to a cluster: the connection is written, and is the one that cmdlets of this process take when none is given. One that fails
/// ends the script and leaves none, so that what follows is not done to another cluster.
/// </summary>
[Cmdlet(VerbsCommunications.Connect, "Ripple", DefaultParameterSetName = "Text")]
[OutputType(typeof(RippleConnection))]
public sealed class ConnectRippleCommand : RippleCmdlet
{
    /// <summary>
    /// The connection string. By default the one the command line would use: from the environment, or else the one saved by this user.
    /// </summary>
    [Parameter(Position = 0, ParameterSetName = "Text")]
    [AllowEmptyString]
    public string? ConnectionString { get; set; }

    /// <summary>A file that contains the connection string.</summary>
    [Parameter(ParameterSetName = "File", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    [AllowEmptyString]
    public string? Path { get; set; }

    /// <summary>The connection string as a secret, such as a vault gives out.</summary>
    [Parameter(Position = 0, ParameterSetName = "Secret")]
    [AllowNull]
    public SecureString? SecureConnectionString { get; set; }

    /// <summary>Leaves no connection: from here on there is the new one or none.</summary>
    protected override void BeginProcessing() => RippleSession.Use(null);

    /// <summary>Connects, and asks the host for the caller's identity.</summary>
    protected override void ProcessRecord()
    {
        RippleConnection? connection = null;
        string? path = Path is { Length: > 0 } ? GetUnresolvedProviderPathFromPSPath(Path) : null;
        try
        {
            Await(async (_, cancellationToken) =>
            {
                RippleAdminClient client = KnownClients.Get(Read(path));
                Identity identity = await client.GetIdentityAsync(cancellationToken).ConfigureAwait(false);
                ClusterInfo cluster = await client.GetClusterAsync(cancellationToken).ConfigureAwait(false);
                connection = new RippleConnection(client, cluster, identity);
            });
        }
        catch (Exception e) when (e is RippleAdminException or CmdletException)
        {
            ErrorRecord record = ErrorCodes.Record(e, Path);
            // As the statement throw does: an error of a cmdlet alone would end this statement, and the script would go on without a
            // connection or with another.
            throw new RuntimeException(record.ErrorDetails?.Message ?? e.Message, e, record) { WasThrownFromThrowStatement = true };
        }

        RippleSession.Use(connection);
        WriteObject(connection);
    }

    private ConnectionString Read(string? path)
    {
        // An empty variable is refused here: PowerShell itself would only end the statement.
        if ((ParameterSetName == "File" && path is null)
            || (ParameterSetName == "Secret" && SecureConnectionString is not { Length: > 0 })
            || ConnectionString is { Length: 0 })
        {
            throw new CmdletException(
                ErrorCodes.InvalidConnection, "What is given is empty. Give a connection string, or a file that has one with -Path.");
        }

        try
        {
            if (path is not null)
            {
                return Trust.ConnectionString.ReadFile(path);
            }

            string? text = SecureConnectionString is { } secret ? new NetworkCredential(string.Empty, secret).Password : ConnectionString;
            return text is null ? new ConnectionProfile().Resolve() : Trust.ConnectionString.Parse(text);
        }
        catch (FormatException e)
        {
            string where = path is not null
                ? $"'{path}' holds no connection string. {e.Message}"
                : ConnectionString is { } given && File.Exists(given)
                    ? $"'{given}' is a file: give it as -Path."
                    : e.Message;
            throw new CmdletException(ErrorCodes.InvalidConnection, where, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CmdletException(ErrorCodes.Unreadable, $"The connection string cannot be read: {e.Message}", e);
        }
    }
}
