using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Tests.Validation;

/// <summary>What is told of a failure, without values.</summary>
public sealed class FailureTextTests
{
    [Theory]
    [InlineData(
        "Failed to convert configuration value 'secret' at 'Shop:Limit' to type 'System.Int32'.",
        "what is at 'Shop:Limit' cannot be converted to System.Int32.")]
    [InlineData(
        "Failed to convert configuration value 'at 'x' to type 'y'' at 'Shop:Limit' to type 'System.Int32'.",
        "what is at 'Shop:Limit' cannot be converted to System.Int32.")]
    [InlineData("The password secret is too short, SECRET.", "InvalidOperationException: The password *** is too short, ***.")]
    [InlineData("Nothing of it.", "InvalidOperationException: Nothing of it.")]
    [InlineData("Section 'sector' has secrets.", "InvalidOperationException: Section 'sector' has secrets.")]
    [InlineData("user=sec;pass=secret2secret", "InvalidOperationException: user=***;pass=secret2secret.")]
    [InlineData("It is xlonger-secretx.", "InvalidOperationException: It is x***x.")]
    public void Values_are_left_out(string message, string expected) =>
        Assert.Equal(expected, FailureText.Of(new InvalidOperationException(message), ["secret", "5", "sec", "longer-secret"]));

    [Theory]
    [InlineData(
        "DataAnnotation validation failed for 'ShopOptions' members: 'Limit' with the error: 'Isn't it 'fine'?'.",
        "Limit: Isn't it 'fine'?")]
    [InlineData("A failure of somebody's own.", "A failure of somebody's own.")]
    [InlineData("Text is empty", "Text is empty.")]
    [InlineData("The password secret is too short, SECRET; 5 to 9.", "The password *** is too short, ***; 5 to 9.")]
    [InlineData(
        "DataAnnotation validation failed for 'SecretOptions' members: 'Secret' with the error: 'It is 'secret'.'.",
        "Secret: It is '***'.")]
    public void Failures_begin_with_what_is_wrong_and_leave_values_out(string failure, string expected) =>
        Assert.Equal(expected, FailureText.Of(failure, ["secret", "5", string.Empty]));
}
