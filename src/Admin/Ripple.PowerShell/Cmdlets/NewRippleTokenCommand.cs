using System.Management.Automation;
using System.Security;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Makes a token, and gives its connection string out once: into a file of its owner, or as a secret.</summary>
[Cmdlet(
    VerbsCommon.New,
    "RippleToken",
    DefaultParameterSetName = "File",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleToken))]
public sealed class NewRippleTokenCommand : ConnectedCmdlet
{
    private const int DaysMax = 3_650;

    /// <summary>The applications it is good for; <c>*</c> alone for all.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>What it may do there.</summary>
    [Parameter]
    [ValidateSet("Node", "Publisher", "Admin")]
    public string Role { get; set; } = "Node";

    /// <summary>A name for people.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Name { get; set; } = string.Empty;

    /// <summary>The number of days until it expires; never if not given.</summary>
    [Parameter]
    [ValidateRange(1, DaysMax)]
    public int? ExpiresInDays { get; set; }

    /// <summary>The new file that its connection string is written to, which only its owner can read.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "File")]
    [ValidateNotNullOrEmpty]
    public string? Path { get; set; }

    /// <summary>Writes the connection string with the token, as a secure string.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Secret")]
    public SwitchParameter AsSecureString { get; set; }

    /// <summary>Makes the token.</summary>
    protected override void ProcessRecord()
    {
        string? path = ParameterSetName == "File" ? GetUnresolvedProviderPathFromPSPath(Path!) : null;
        var request = new CreateTokenRequest
        {
            Applications = [.. Application.Distinct(StringComparer.Ordinal)],
            Role = Enum.Parse<Role>(Role, ignoreCase: true),
            Name = Name,
            ExpiresInDays = ExpiresInDays,
        };
        // Checked before the token is made: a secret that cannot be written is lost.
        if (!Work(path, (_, _) => path is null ? Task.FromResult(Session) : Check(path))
            || !Confirm($"Make a token that is {Role.ToLowerInvariant()} of {string.Join(", ", request.Applications)}"))
        {
            return;
        }

        RippleToken? made = null;
        if (Work(path, async (_, cancellationToken) => made = await MakeAsync(request, path, cancellationToken).ConfigureAwait(false)))
        {
            WriteObject(made);
        }
    }

    private async Task<RippleToken> MakeAsync(CreateTokenRequest request, string? path, CancellationToken cancellationToken)
    {
        CreatedToken created = await Client.CreateTokenAsync(request, cancellationToken).ConfigureAwait(false);
        if (path is null)
        {
            return new RippleToken(created.Token, Secret(created.ConnectionString));
        }

        try
        {
            ConnectionString.Parse(created.ConnectionString).Write(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await Client.RevokeTokenAsync(created.Token.TokenId, CancellationToken.None).ConfigureAwait(false);
            throw new CmdletException(
                ErrorCodes.Unwritable,
                $"'{path}' cannot be written ({e.Message}), so that the token {created.Token.TokenId} was revoked again. "
                    + "Give a path that you may write.",
                e);
        }

        return new RippleToken(created.Token, null, path);
    }

    private Task<RippleConnection> Check(string path) =>
        File.Exists(path) || Directory.Exists(path)
            ? throw new CmdletException(ErrorCodes.Unwritable, $"'{path}' exists. Give another file, or remove it first.")
            : Directory.Exists(System.IO.Path.GetDirectoryName(path))
                ? Task.FromResult(Session)
                : throw new CmdletException(ErrorCodes.Unwritable, $"The folder of '{path}' does not exist. Make it first.");

    private static SecureString Secret(string text)
    {
        var secret = new SecureString();
        foreach (char c in text)
        {
            secret.AppendChar(c);
        }

        secret.MakeReadOnly();
        return secret;
    }
}
