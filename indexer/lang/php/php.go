package php
