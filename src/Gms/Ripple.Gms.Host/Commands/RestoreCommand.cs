using System.CommandLine;
using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Host.Commands;

/// <summary>
/// <c>restore</c>: says that the store in a data directory is a copy, for copies that a host cannot know as one, and shows or ends the
/// tokens that are good again by it.
/// </summary>
internal static class RestoreCommand
{
    public static Command Make()
    {
        var revoke = new Option<bool>("--revoke-tokens")
        {
            Description = "Revokes every token in the copy: the host writes new connection strings at its next start, others you make anew",
        };
        var reset = new Option<bool>("--reset-epoch")
        {
            Description = "Sets the slot epoch back to the clock, where a store has used up the last one and no host starts on it",
        };
        var command = new Command(
            "restore",
            "Says that the store is a copy: at its next start the host goes on in new generations. For a copy of the whole directory, "
                + "which the host takes for the original; of others it notices by itself. Lists the tokens that are good in the copy: "
                + "those that were revoked after it was made are good again.")
        {
            revoke,
            reset,
        };
        command.SetAction((result, _) => RunAsync(
            new GmsDirectory(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data))),
            result.GetValue(CommonOptions.StoreFile),
            result.GetValue(revoke),
            result.GetValue(reset)));
        return command;
    }

    private static async Task<int> RunAsync(GmsDirectory directory, string? storeFile, bool revokes, bool resets)
    {
        if (storeFile is not null && resets)
        {
            throw new CommandException(
                "The slot epoch of a database is not reset: only a higher one fences off who had the last.", isUsage: true);
        }

        using (OpenedStore.Open(directory, storeFile))
        {
            // Reports a missing or damaged store first.
        }

        try
        {
            StoreRepair.MarkRestored(
                storeFile is null ? directory.Store : directory.Database,
                resets ? (uint)DateTimeOffset.UtcNow.ToUnixTimeSeconds() : null);
        }
        catch (StoreException e)
        {
            throw new CommandException($"Stop the host of '{directory.Path}' first: it would not learn of this. ({e.Message})");
        }

        using IHostStore store = OpenedStore.Open(directory, storeFile);
        long nowMicros = SystemWallClock.Instance.UnixMicros;
        AccessToken[] good =
        [
            .. (await store.TokensAsync().ConfigureAwait(false))
                .Where(t => t.RevokedUnixMicros is null && (t.ExpiresUnixMicros is null || t.ExpiresUnixMicros > nowMicros)),
        ];
        if (revokes)
        {
            foreach (AccessToken[] some in good.Chunk(StoreLimits.BatchItemsMax))
            {
                await store.CommitAsync(new CommitBatch
                {
                    // All are named, so none ends by another.
                    Tokens =
                    [
                        .. some.Select(t => AccessTokenChange.Revoke(t.Id, nowMicros, OpenedStore.Actor) with { KeepsMade = true }),
                    ],
                }).ConfigureAwait(false);
            }
        }

        Console.WriteLine("The store is a copy: the host goes on in new generations at its next start.");
        string what = revokes ? "were revoked" : "are good in it";
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{good.Length} tokens {what}:"));
        foreach (AccessToken token in good)
        {
            string name = token.Name.Length > 0 ? $"  {token.Name}" : "";
            Console.WriteLine(
                $"{token.Id,-16}  {token.HighestRole.ToString().ToLowerInvariant(),-9}  {UnixTime.Text(token.CreatedUnixMicros)}{name}");
        }

        if (!revokes && good.Length > 0)
        {
            Console.WriteLine(
                "One that was revoked after the copy was made is good again: revoke it with 'token revoke ID', before the host starts. "
                    + "If you do not know which, revoke all with --revoke-tokens.");
        }

        return ExitCodes.Done;
    }
}
