namespace Worker;

/// <summary>The section <c>Greeting</c>: publish <c>Greeting.json</c>, or <c>Greeting/Text</c>.</summary>
public sealed class GreetingOptions
{
    public string Text { get; set; } = "nothing yet";

    public string To { get; set; } = "world";
}
