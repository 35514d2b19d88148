using Microsoft.Extensions.Options;

namespace Ripple.HostedProcess;

/// <summary>Accepts limits up to 100, and says what it was asked.</summary>
public sealed class ShopValidator : IValidateOptions<ShopOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, ShopOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        bool isAccepted = options.Limit <= 100;
        Console.WriteLine($"{(isAccepted ? "accepts" : "rejects")} {options.Limit}");
        return isAccepted ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail("Limit is more than 100.");
    }
}
