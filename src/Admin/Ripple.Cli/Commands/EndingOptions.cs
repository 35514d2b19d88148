using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>--keep-made</c> and <c>--dry-run</c> of commands by which rights end, and what they say has ended.</summary>
internal sealed class EndingOptions
{
    private readonly Option<bool> _keep = KeepOption();

    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Shows what would end with it; changes nothing" };

    public static Option<bool> KeepOption() => new("--keep-made")
    {
        Description = "Lets the tokens it made and the roles it gave stay, which otherwise end with its right",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_keep);
        command.Options.Add(_dryRun);
        command.Validators.Add(result =>
        {
            if (result.GetValue(_keep) && result.GetValue(_dryRun))
            {
                result.AddError("--dry-run shows what ends without --keep-made. Give one of the two.");
            }
        });
    }

    public bool KeepsMade(CliContext context) => context.Get(_keep);

    public bool IsDryRun(CliContext context) => context.Get(_dryRun);

    /// <summary>Writes a plan, as a document or as lines.</summary>
    public static int WritePlan(CliContext context, EndedRights plan)
    {
        context.Write(plan, AdminJson.Default.EndedRights, p => WriteLines(context, p, "would be"));
        return ExitCodes.Done;
    }

    /// <summary>Writes a line for each token and role that ended.</summary>
    public static void WriteLines(CliContext context, EndedRights ended, string verb = "was")
    {
        foreach (string token in ended.Tokens)
        {
            context.Line($"token {token} {verb} revoked");
        }

        foreach (RoleGrant role in ended.Roles)
        {
            context.Line($"token {role.TokenId}: {Show.Roles([role])} {verb} taken away");
        }
    }
}
