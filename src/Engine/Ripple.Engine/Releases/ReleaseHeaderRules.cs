using System.Globalization;

namespace Ripple.Engine.Releases;

/// <summary>The rules that every header must satisfy.</summary>
internal static class ReleaseHeaderRules
{
    private const int ExtensionBytesMax = ushort.MaxValue;
    private const int FixedBytes = 92;
    private const int ChangeFixedBytes = 28;

    public static string? Check(ReleaseHeader header)
    {
        if (header.Kind is < ReleaseKind.Changes or > ReleaseKind.Creation)
        {
            return Text($"The kind {(int)header.Kind} is not known. Use 0 (changes), 1 (activation) or 2 (creation).");
        }

        if ((CompanionName.CheckReleased(header.Application)
            ?? ReleaseNames.CheckActor(header.Actor)
            ?? ReleaseNames.CheckNote(header.Note)) is { } wrong)
        {
            return wrong;
        }

        if (header.Generation == 0)
        {
            return "The generation is 0. Generations count from 1.";
        }

        if (header.Release is 0 or > long.MaxValue)
        {
            return Text($"The release number {header.Release} is out of range. Releases count from 1.");
        }

        if (header.Release == 1 != header.PreviousId.IsZero)
        {
            return Text($"Release {header.Release} names {(header.PreviousId.IsZero ? "no" : "a")} previous release. Release 1 has none, every other has one.");
        }

        if (header.Extension.Length > ExtensionBytesMax)
        {
            return Text($"The extension has {header.Extension.Length} bytes, {ExtensionBytesMax} are allowed. Shorten it.");
        }

        return CheckChanges(header);
    }

    private static string? CheckChanges(ReleaseHeader header)
    {
        if (header.Changes.IsDefault || header.Changes.Length > ReleaseLimits.ChangesMax)
        {
            return Text($"The release changes {(header.Changes.IsDefault ? 0 : header.Changes.Length)} keys, {ReleaseLimits.ChangesMax} are allowed. Publish it in parts.");
        }

        long bodyBytes = 0;
        int headerBytes = FixedBytes
            + Utf8Bytes(header.Application) + Utf8Bytes(header.Actor) + Utf8Bytes(header.Note) + header.Extension.Length;
        KeyChange? previous = null;
        foreach (KeyChange change in header.Changes)
        {
            if (CheckChange(change, previous) is { } wrong)
            {
                return wrong;
            }

            bodyBytes += change.Length;
            headerBytes += ChangeFixedBytes + Utf8Bytes(change.Key);
            previous = change;
        }

        if (bodyBytes > ReleaseLimits.PublishBytesMax)
        {
            return Text(
                $"The values of the release have {bodyBytes} bytes, {ReleaseLimits.PublishBytesMax} are allowed. Publish it in parts.");
        }

        return headerBytes > ReleaseLimits.HeaderBytesMax
            ? Text($"The header has {headerBytes} bytes, {ReleaseLimits.HeaderBytesMax} are allowed. Publish it in parts, or use shorter keys.")
            : null;
    }

    private static string? CheckChange(KeyChange change, KeyChange? previous)
    {
        if (ReleaseNames.CheckKey(change.Key) is { } wrong)
        {
            return wrong;
        }

        if (previous is not null && KeyOrder.Instance.Compare(previous.Key, change.Key) is var order && order >= 0)
        {
            return order == 0
                ? Text($"The key '{change.Key}' is changed twice. Keep one change of it.")
                : Text($"The key '{change.Key}' comes after '{previous.Key}'. Sort the changes by the bytes of their keys.");
        }

        if (change.Operation == KeyOperation.Remove)
        {
            return change.Form == KeyForm.Bytes && change.Length == 0 && change.Digest.IsZero
                ? null
                : Text($"The removal of '{change.Key}' has a value. A removal has form 0, length 0 and no digest.");
        }

        if (change.Operation != KeyOperation.Set || change.Form is not (KeyForm.Bytes or KeyForm.Json))
        {
            return Text($"The change of '{change.Key}' has operation {(int)change.Operation} and form {(int)change.Form}. Use operation 0 or 1 and form 0 or 1.");
        }

        if (change.Length is < 0 or > ReleaseLimits.BodyBytesMax)
        {
            return Text($"The value of '{change.Key}' has {change.Length} bytes, {ReleaseLimits.BodyBytesMax} are allowed. Shorten it, or keep it elsewhere and publish where.");
        }

        return change.Digest.IsZero ? Text($"The value of '{change.Key}' has no digest. Compute it from the value.") : null;
    }

    private static int Utf8Bytes(string text) => ReleaseNames.StrictUtf8.GetByteCount(text);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
