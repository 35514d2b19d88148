using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>A batch breaks a rule of the stored state; the message is for its committer.</summary>
internal sealed class StoreRefusedException(string message) : Exception(message)
{
    /// <summary>One whose message is not formatted by the culture of the machine.</summary>
    public static StoreRefusedException Of(FormattableString text) => new(text.ToString(CultureInfo.InvariantCulture));
}
