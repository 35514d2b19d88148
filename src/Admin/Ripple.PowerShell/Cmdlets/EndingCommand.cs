using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by what ends rights: what would end with them is shown, and ends when it is confirmed.</summary>
public abstract class EndingCommand : ConnectedCmdlet
{
    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected EndingCommand()
    {
    }

    /// <summary>Lets the tokens that it made and the roles that it gave stay, which otherwise end with its right.</summary>
    [Parameter]
    public SwitchParameter KeepMade { get; set; }

    /// <summary>Writes what ended.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Asks for confirmation with everything that ends, and ends it.</summary>
    /// <param name="question">The action, for the confirmation.</param>
    /// <param name="target">The target, for error records.</param>
    /// <param name="plan">What ends with it if nothing is kept.</param>
    /// <param name="end">Ends it.</param>
    private protected void End(
        string question,
        string target,
        Func<CancellationToken, Task<EndedRights>> plan,
        Func<CancellationToken, Task<EndedRights>> end)
    {
        if (Ask(target, plan) is { } planned
            && Confirm(KeepMade.IsPresent ? question : $"{question}, with which end {Text(planned)},")
            && Ask(target, end) is { } ended
            && PassThru.IsPresent)
        {
            WriteObject(new RippleEndedRights(ended));
        }
    }

    private static string Text(EndedRights ended)
    {
        string[] parts =
        [
            .. ended.Tokens.Select(t => $"token {t}"),
            .. ended.Roles.Select(r => $"{RippleRole.Text(r)} of token {r.TokenId}"),
        ];
        return parts.Length == 0 ? "nothing" : string.Join(", ", parts);
    }
}
