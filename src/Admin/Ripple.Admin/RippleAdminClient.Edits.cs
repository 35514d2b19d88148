using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;

namespace Ripple.Admin;

/// <content>Edits of one place of a JSON document.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>How often a publish is asked for whose answer was lost, each time with the retries of the client.</summary>
    private const int AsksMax = 2;

    /// <summary>Longer values are cut in messages.</summary>
    private const int ShownCharsMax = 200;

    /// <summary>
    /// Changes one place of the JSON document that is the value of a key, and publishes it as a release that follows the one that was read.
    /// If a release of another comes between, the newest value is read and edited anew, so that no change is lost; but if that release
    /// changed the same place, fails with <see cref="ProblemCodes.EditConflict"/>. The same place is the value and what is inside it, what
    /// is on its way if it is of another kind now, and an array on its way as a whole. Publishes nothing if the value is there already. A
    /// publish whose answer was lost is asked for again with its publish id, so that it is released once.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="key">The key; it ends with <c>.json</c>.</param>
    /// <param name="edit">The change.</param>
    /// <param name="options">Null for the defaults.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo the publish.</param>
    /// <exception cref="RippleAdminException">
    /// The call failed; with <see cref="ProblemCodes.EditRefused"/> the document does not take the edit, with
    /// <see cref="ProblemCodes.EditConflict"/> another changed the place (<see cref="RippleAdminException.EditConflict"/>), with
    /// <see cref="ProblemCodes.Busy"/> others came between too often. After <see cref="AdminFailure.Unreachable"/> the edit may have been
    /// published.
    /// </exception>
    public async Task<KeyEditResult> EditKeyAsync(
        string application,
        string key,
        JsonEdit edit,
        KeyEditOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(edit);
        CheckIsJson(application, key);
        KeyEditOptions chosen = options ?? new KeyEditOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(chosen.TriesMax, 1, nameof(options));
        KeyContent first = await ReadKeyAsync(application, key, chosen.Since?.Release, cancellationToken).ConfigureAwait(false);
        if (chosen.Since?.Generation is { } generation && generation != first.Generation)
        {
            throw Refuse(
                ProblemCodes.WrongExpectedRelease,
                "It was restored meanwhile",
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"'{application}' is of generation {first.Generation} now, and the edit was made for release {chosen.Since}. Look at "
                        + $"'{key}', and edit again if it is still meant."));
        }

        KeyContent content = first;
        for (int tries = 1; ; tries++)
        {
            var release = new ReleaseNumber(content.Generation, content.Release);
            JsonEditOutcome outcome = Fit(application, content, () => edit.Apply(content.Bytes));
            if (!outcome.IsChanged)
            {
                return new KeyEditResult(release, null, tries - 1, outcome.Before, outcome.After);
            }

            try
            {
                PublishResult published = await PublishEditAsync(
                    application, EditRequest(key, outcome, chosen.Note), release, cancellationToken).ConfigureAwait(false);
                return new KeyEditResult(
                    new ReleaseNumber(published.Generation, published.Release), published, tries, outcome.Before, outcome.After);
            }
            catch (RippleAdminException e) when (e.Code == ProblemCodes.WrongExpectedRelease)
            {
                if (tries >= chosen.TriesMax)
                {
                    throw CameBetween(application, key, tries);
                }
            }

            await GiveWayAsync(tries, cancellationToken).ConfigureAwait(false);
            content = await ReadAgainAsync(application, first, edit, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The effect that such an edit would have, and the nodes it would reach. Validates everything; changes nothing.</summary>
    /// <param name="application">The application.</param>
    /// <param name="key">The key; it ends with <c>.json</c>.</param>
    /// <param name="edit">The change.</param>
    /// <param name="options">Null for the defaults.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleAdminException">As for the edit; another's change is none of its failures.</exception>
    public async Task<KeyEditPlan> PlanEditKeyAsync(
        string application,
        string key,
        JsonEdit edit,
        KeyEditOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(edit);
        CheckIsJson(application, key);
        KeyEditOptions chosen = options ?? new KeyEditOptions();
        for (int tries = 1; ; tries++)
        {
            KeyContent content = await ReadKeyAsync(application, key, null, cancellationToken).ConfigureAwait(false);
            var release = new ReleaseNumber(content.Generation, content.Release);
            JsonEditOutcome outcome = Fit(application, content, () => edit.Apply(content.Bytes));
            if (!outcome.IsChanged)
            {
                return new KeyEditPlan(release, outcome, null);
            }

            try
            {
                PublishPlan plan = await PlanPublishAsync(
                    application, EditRequest(key, outcome, chosen.Note), release, cancellationToken).ConfigureAwait(false);
                return new KeyEditPlan(release, outcome, plan);
            }
            catch (RippleAdminException e) when (e.Code == ProblemCodes.WrongExpectedRelease)
            {
                if (tries >= chosen.TriesMax)
                {
                    throw CameBetween(application, key, tries);
                }
            }

            await GiveWayAsync(tries, cancellationToken).ConfigureAwait(false);
        }
    }

    private static PublishRequest EditRequest(string key, JsonEditOutcome outcome, string note) =>
        new() { Set = [new KeyValue { Key = key, Bytes = outcome.Document.ToArray() }], Note = note };

    /// <summary>Publishes one edited document: the id, the bytes and the expected release are the same each time it is asked for.</summary>
    private async Task<PublishResult> PublishEditAsync(
        string application, PublishRequest request, ReleaseNumber expectedRelease, CancellationToken cancellationToken)
    {
        var publishId = Guid.NewGuid();
        for (int asks = 1; ; asks++)
        {
            try
            {
                return await PublishAsync(application, request, expectedRelease, publishId, cancellationToken).ConfigureAwait(false);
            }
            catch (RippleAdminException e) when (e.Failure == AdminFailure.Unreachable)
            {
                if (asks >= AsksMax)
                {
                    throw new RippleAdminException(
                        AdminFailure.Unreachable,
                        $"{e.Message} Whether the edit of '{application}' was published is not known: look at the key before you edit "
                            + "again.",
                        e);
                }
            }
        }
    }

    /// <summary>
    /// Lets others pass, each editor for another time: of those that publish at once, one succeeds. Up to 20 ms, then 40 ... 400: so long
    /// that a score of editors take turns.
    /// </summary>
    private Task GiveWayAsync(int tries, CancellationToken cancellationToken)
    {
        int mostMs = Math.Min(20 << Math.Min(tries - 1, 5), 400);
        return Task.Delay(TimeSpan.FromMilliseconds(Random.Shared.Next(0, mostMs)), _options.Time, cancellationToken);
    }

    /// <summary>The newest value, if what the edit is about is as it was.</summary>
    private async Task<KeyContent> ReadAgainAsync(
        string application, KeyContent first, JsonEdit edit, CancellationToken cancellationToken)
    {
        try
        {
            KeyContent now = await ReadKeyAsync(application, first.Key, null, cancellationToken).ConfigureAwait(false);
            var release = new ReleaseNumber(now.Generation, now.Release);
            return Fit(application, now, () => JsonRebase.Find(first.Bytes.Span, now.Bytes.Span, edit.Place, release)) is { } conflict
                ? throw Conflict(application, first.Key, edit, conflict)
                : now;
        }
        catch (RippleAdminException e) when (e.Code == ProblemCodes.NotFound)
        {
            throw Conflict(
                application, first.Key, edit, new KeyEditConflict(string.Empty, Encoding.UTF8.GetString(first.Bytes.Span), null, null));
        }
    }

    private static void CheckIsJson(string application, string key)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        if (!key.EndsWith(".json", StringComparison.OrdinalIgnoreCase))
        {
            throw Refuse(
                ProblemCodes.EditRefused,
                "The document does not take the edit",
                $"The key '{key}' of '{application}' does not end with .json, so that its value need not be JSON. Publish its value as "
                    + "a whole.");
        }
    }

    private static T Fit<T>(string application, KeyContent content, Func<T> work)
    {
        try
        {
            return work();
        }
        catch (JsonEditException e)
        {
            throw Refuse(
                ProblemCodes.EditRefused,
                "The document does not take the edit",
                string.Create(
                    CultureInfo.InvariantCulture, $"'{content.Key}' of '{application}' at release {content.Release}: {e.Message}"));
        }
    }

    private static RippleAdminException CameBetween(string application, string key, int tries) => Refuse(
        ProblemCodes.Busy,
        "Others came between",
        string.Create(
            CultureInfo.InvariantCulture,
            $"'{key}' of '{application}' was edited {tries} times, and each time another release came before it. Nothing was published; "
                + $"edit again when fewer publish there."));

    private static RippleAdminException Conflict(string application, string key, JsonEdit edit, KeyEditConflict conflict) => new(
        new Problem
        {
            Code = ProblemCodes.EditConflict,
            Title = "Another changed the same place",
            Detail = string.Create(
                CultureInfo.InvariantCulture,
                $"{(conflict.Pointer.Length == 0 ? "The document" : $"'{conflict.Pointer}'")} of '{key}' of '{application}' was "
                    + $"{Shown(conflict.Before)} when the edit of '{edit.Pointer}' began, and another release made it "
                    + $"{Shown(conflict.Now)}. Nothing was published; look at the value, and edit again if it is still meant."),
            NewestRelease = conflict.Release?.Release,
            NewestGeneration = conflict.Release?.Generation,
        },
        conflict);

    private static string Shown(string? json) => json is null ? "not there"
        : json.Length <= ShownCharsMax ? json
        : $"{json.AsSpan(0, char.IsHighSurrogate(json[ShownCharsMax - 1]) ? ShownCharsMax - 1 : ShownCharsMax)}...";

    private static RippleAdminException Refuse(string code, string title, string detail) =>
        new(new Problem { Code = code, Title = title, Detail = detail });
}
